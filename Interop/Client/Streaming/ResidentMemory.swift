import Foundation

/// The kernel's count of this process's memory (proc_pid_status(5)), in bytes.
enum ResidentMemory {
  /// Now.
  static var current: Int? { field("VmRSS:") }
  /// The most since the program's start.
  static var peak: Int? { field("VmHWM:") }

  private static func field(_ name: String) -> Int? {
    guard let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return nil }
    let line = text.split(separator: "\n").first { $0.hasPrefix(name) }
    // As "VmRSS:	    5120 kB".
    return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }.map { $0 << 10 }
  }
}
