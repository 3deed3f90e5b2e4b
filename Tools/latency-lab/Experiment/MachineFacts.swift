import Foundation
import Glibc

/// The facts about the machine that a report contains.
enum MachineFacts {
  static var kernel: String {
    text(of: "/proc/sys/kernel/osrelease").map { "Linux \($0)" } ?? "unknown"
  }

  static var description: String {
    let processor = text(of: "/proc/cpuinfo")?.split(separator: "\n").first { $0.hasPrefix("model name") }
      .flatMap { $0.split(separator: ":", maxSplits: 1).last }
      .map { $0.trimmingCharacters(in: .whitespaces) }
    let memory = Double(ProcessInfo.processInfo.physicalMemory) / 1_073_741_824
    let cores = ProcessInfo.processInfo.activeProcessorCount
    return "\(cores) cores, \(Int(memory.rounded())) GiB" + (processor.map { ", \($0)" } ?? "")
  }

  /// The load average over the last minute.
  static var load: Double {
    var loads = [0.0]
    return getloadavg(&loads, 1) == 1 ? loads[0] : 0
  }

  static var now: String {
    ISO8601DateFormatter().string(from: Date())
  }

  private static func text(of path: String) -> String? {
    try? String(contentsOfFile: path, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
