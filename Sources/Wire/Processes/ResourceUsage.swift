import Foundation

/// A process's use of the machine (getrusage(2)).
package struct ResourceUsage: Hashable, Sendable {
  /// Seconds of the processor, in the program and in the kernel for it.
  package var processor: Double
  /// The number of context switches.
  package var switches: Double
  /// The most memory at once, in bytes; no difference is made of it.
  package var peakMemory: Int

  /// The usage of this process until now.
  package static var own: ResourceUsage {
    var used = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &used)
    return ResourceUsage(used)
  }

  package static func - (later: ResourceUsage, earlier: ResourceUsage) -> ResourceUsage {
    var difference = later
    difference.processor -= earlier.processor
    difference.switches -= earlier.switches
    return difference
  }

  init(_ used: rusage) {
    processor = Self.seconds(used.ru_utime) + Self.seconds(used.ru_stime)
    switches = Double(used.ru_nvcsw + used.ru_nivcsw)
    peakMemory = used.ru_maxrss << 10
  }

  private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }

  /// Seconds of the processor of a process that runs, in the clock ticks that the kernel counts in.
  package static func processor(of process: Int32) -> Double? {
    guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
      let end = text.lastIndex(of: ")")
    else { return nil }
    let fields = text[end...].split(separator: " ")
    guard fields.count > 13, let user = Double(fields[12]), let system = Double(fields[13]) else { return nil }
    return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
  }
}
