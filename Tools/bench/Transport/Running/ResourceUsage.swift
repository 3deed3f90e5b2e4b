import Foundation

/// A process's use of the machine.
struct ResourceUsage {
  /// Seconds of the processor, in the program and in the kernel for it.
  var processor: Double
  /// The number of context switches.
  var switches: Double

  /// Of this process until now.
  static var own: ResourceUsage {
    var used = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &used)
    return ResourceUsage(used)
  }

  static func - (left: ResourceUsage, right: ResourceUsage) -> ResourceUsage {
    ResourceUsage(processor: left.processor - right.processor, switches: left.switches - right.switches)
  }

  private init(processor: Double, switches: Double) {
    self.processor = processor
    self.switches = switches
  }

  init(_ used: rusage) {
    self.init(
      processor: Self.seconds(used.ru_utime) + Self.seconds(used.ru_stime),
      switches: Double(used.ru_nvcsw + used.ru_nivcsw))
  }

  private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }

  /// Of a process that runs, in the clock ticks that the kernel counts in.
  static func processor(of process: Int32) -> Double? {
    guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
      let end = text.lastIndex(of: ")")
    else { return nil }
    let fields = text[end...].split(separator: " ")
    guard fields.count > 13, let user = Double(fields[12]), let system = Double(fields[13]) else { return nil }
    return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
  }

  /// Bytes in memory of a process that runs.
  static func resident(of process: Int32 = getpid()) -> Double? {
    guard let text = try? String(contentsOfFile: "/proc/\(process)/statm", encoding: .utf8) else { return nil }
    let fields = text.split(separator: " ")
    return fields.count > 1 ? Double(fields[1]).map { $0 * Double(sysconf(Int32(_SC_PAGESIZE))) } : nil
  }
}
