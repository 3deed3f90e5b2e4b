import Foundation
import LinkEmulator

/// The output of `doctor`, for people.
enum DoctorText {
  static func lines(of facts: SystemFacts) -> [String] {
    let loads = facts.loadAverages.map { String(format: "%.2f", $0) }.joined(separator: " ")
    let idle = facts.idleShare.map { String(format: ", %.0f %% idle", $0 * 100) } ?? ""
    let slack = facts.defaultTimerSlackNanoseconds.map { "\($0) ns by default" } ?? "unknown"
    var lines = [
      row("links", facts.privileges),
      row("kernel", "\(facts.kernel), \(facts.architecture)"),
      row("processors", "\(facts.processorCount), load \(loads)\(idle)"),
      row("clock source", facts.clockSource ?? "unknown"),
      row("CPU governor", facts.frequencyGovernor ?? "not reported by this system"),
      row("timer slack", slack + (facts.maySetTimerSlack ? ", 1 ns for the link" : ", can't be changed")),
      row("SCHED_FIFO", facts.mayUseRealtime ? "allowed" : "not allowed: the link is later on a busy machine"),
      row("memory lock", facts.mayLockMemory ? "allowed" : "not allowed"),
      row("/dev/net/tun", facts.isTUNAccessible ? "readable and writable" : "not accessible to this user"),
      row("congestion control", facts.congestionControls.joined(separator: ", ")),
    ]
    if let standard = facts.defaultCongestionControl {
      let warning = standard == "cubic" ? "" : " (experiments pin it: comparisons with CUBIC would mislead otherwise)"
      lines.append(row("  default", standard + warning))
    }
    return lines
  }

  static func lines(of calibration: Calibration) -> [String] {
    let delay = String(format: "%g", calibration.configuredDelayMilliseconds)
    var lines = [
      "added to a one-way delay of \(delay) ms, UDP packets of 1200 bytes, in µs",
      "  packets/s      p50      p99    p99.9      max",
    ]
    for rate in calibration.rates {
      let values = [
        rate.added.p50Microseconds, rate.added.p99Microseconds, rate.added.p999Microseconds,
        rate.added.maximumMicroseconds,
      ]
      lines.append(
        String(format: "  %9d", rate.packetsPerSecond) + values.map { String(format: "%9.0f", $0) }.joined())
    }
    lines += ["", "goals on a quiet machine"]
    for goal in calibration.goals {
      lines.append("  \(goal.isMet ? "met   " : "missed")  \(goal.name): \(goal.measured) (\(goal.wanted))")
    }
    lines += calibration.notMeasured.map { "  not measured: \($0)" }
    lines.append("")
    lines.append(
      String(format: "Differences below %.1f ms are not judged on this machine.", calibration.noiseFloorMilliseconds))
    return lines
  }

  private static func row(_ name: String, _ value: String) -> String {
    name.padding(toLength: 20, withPad: " ", startingAt: 0) + value
  }
}
