import CLinux
import Foundation

/// Processor time of a live process and its descendants.
enum ProcessTimes {
  /// Descendants that are looked at; a bound for a program that multiplies.
  private static let limit = 10_000

  /// nil when the process is gone.
  static func seconds(of process: pid_t) -> Double? {
    let own = clinux_process_nanoseconds(process)
    guard own >= 0 else { return nil }
    var total = own
    var open = children(of: process)
    var seen: Set<pid_t> = [process]
    while let next = open.popLast(), seen.count < limit {
      guard seen.insert(next).inserted else { continue }
      total += max(clinux_process_nanoseconds(next), 0)
      open += children(of: next)
    }
    return Double(total) / 1e9
  }

  private static func children(of process: pid_t) -> [pid_t] {
    let folder = "/proc/\(process)/task"
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return threads.flatMap { thread -> [pid_t] in
      guard let list = try? String(contentsOfFile: "\(folder)/\(thread)/children", encoding: .utf8) else { return [] }
      return list.split(separator: " ").compactMap { pid_t($0) }
    }
  }
}
