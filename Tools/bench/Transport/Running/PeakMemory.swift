import Foundation

/// The kernel's count of a process's memory.
struct PeakMemory {
  private let process: Int32

  init(of process: Int32) { self.process = process }

  /// The most that was in memory, in bytes.
  var value: Double { bytes("VmHWM:") }
  /// The bytes in memory now that are not a file's.
  var anonymous: Double { bytes("RssAnon:") }

  private func bytes(_ name: String) -> Double {
    let text = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix(name) }
    return (line?.split(separator: " ").dropFirst().first).flatMap { Double($0) }.map { $0 * 1_024 } ?? 0
  }
}

/// A UDP port that takes everything and answers nothing.
final class SilentPort {
  let port: Int
  private let descriptor: Int32

  init() {
    (descriptor, port) = RunningServer.boundSocket()
  }

  deinit { close(descriptor) }
}
