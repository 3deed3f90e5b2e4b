import Foundation
import LatencyReport

/// Measures what keeps the machine from a run, between its making and a later moment.
struct LoadMeter {
  private struct Reading {
    /// Ticks of all processors, and those of them that a hypervisor gave to others.
    var ticks: Double?
    var stolen: Double?
    /// Microseconds in which some task waited for a processor.
    var waited: Double?
    var at: ContinuousClock.Instant
  }

  private let start: Reading

  init() { start = Self.reading() }

  /// Since the meter was made.
  var load: MachineLoad { Self.load(from: start, to: Self.reading()) }

  private static func reading() -> Reading {
    let processors = processorTicks(text(of: "/proc/stat"))
    return Reading(
      ticks: processors?.all, stolen: processors?.stolen, waited: waitedMicroseconds(text(of: "/proc/pressure/cpu")),
      at: ContinuousClock().now)
  }

  private static func load(from start: Reading, to end: Reading) -> MachineLoad {
    func difference(_ value: KeyPath<Reading, Double?>) -> Double? {
      guard let first = start[keyPath: value], let last = end[keyPath: value], last >= first else { return nil }
      return last - first
    }
    let microseconds = (end.at - start.at) / .microseconds(1)
    var steal: Double?
    if let ticks = difference(\.ticks), let stolen = difference(\.stolen), ticks > 0 { steal = 100 * stolen / ticks }
    return MachineLoad(
      stealPercent: steal,
      pressurePercent: microseconds > 0 ? difference(\.waited).map { min(100, 100 * $0 / microseconds) } : nil)
  }

  /// The first line of /proc/stat: user, nice, system, idle, iowait, irq, softirq, steal; guests are in user already.
  static func processorTicks(_ text: String) -> (all: Double, stolen: Double)? {
    guard let line = text.split(separator: "\n").first, line.hasPrefix("cpu ") else { return nil }
    let numbers = line.split(separator: " ").dropFirst().prefix(8).compactMap { Double($0) }
    guard numbers.count == 8 else { return nil }
    return (numbers.reduce(0, +), numbers[7])
  }

  /// The total of the line `some` of /proc/pressure/cpu; nil on a kernel without pressure stall information.
  static func waitedMicroseconds(_ text: String) -> Double? {
    guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("some ") }) else { return nil }
    return line.split(separator: " ").first { $0.hasPrefix("total=") }.flatMap { Double($0.dropFirst("total=".count)) }
  }

  private static func text(of path: String) -> String {
    (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
  }
}
