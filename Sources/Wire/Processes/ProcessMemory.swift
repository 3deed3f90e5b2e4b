import Foundation

/// The kernel's counts of a process's memory (proc_pid_status(5)), in bytes; nil for one that has ended.
package struct ProcessMemory: Sendable {
  private let process: Int32

  /// - Parameter process: by default this one.
  package init(of process: Int32 = getpid()) { self.process = process }

  /// The bytes that are in memory now.
  package var resident: Int? { field("VmRSS:") }
  /// The bytes that are in memory now, without those of files.
  package var anonymous: Int? { field("RssAnon:") }
  /// The most since the program's start.
  package var peak: Int? { field("VmHWM:") }

  private func field(_ name: String) -> Int? {
    guard let text = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8) else { return nil }
    let line = text.split(separator: "\n").first { $0.hasPrefix(name) }
    // As "VmRSS:	    5120 kB".
    return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }.map { $0 << 10 }
  }
}
