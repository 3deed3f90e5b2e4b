extension Calibration {
  /// Something that a quiet machine should reach.
  package struct Goal: Codable, Hashable, Sendable {
    package var name: String
    /// The wanted value with its unit.
    package var wanted: String
    package var measured: String
    package var isMet: Bool
  }

  /// The goals of the parts that were measured.
  package var goals: [Goal] {
    var goals: [Goal] = []
    if let rate = rates.first(where: { $0.packetsPerSecond == 500 }) {
      goals.append(delayGoal("added delay, median, 500 packets/s", rate.added.p50Microseconds, atMost: 80))
      goals.append(delayGoal("added delay, 99th percentile, 500 packets/s", rate.added.p99Microseconds, atMost: 400))
    }
    if let loss {
      goals.append(
        Goal(
          name: "packets lost of \(loss.packets) at \(percent(loss.configuredRate))",
          wanted: "\(loss.lowest) to \(loss.highest)", measured: "\(loss.dropped)", isMet: loss.isWithinInterval))
    }
    if let throughput {
      goals.append(
        Goal(
          name: "TCP over an empty link", wanted: "at least 500 Mbit/s",
          measured: "\(Int(throughput.bitsPerSecond / 1e6)) Mbit/s", isMet: throughput.bitsPerSecond >= 500e6))
    }
    if let lossyThroughput {
      let ratio = lossyThroughput.ratio
      goals.append(
        Goal(
          name: "TCP at \(percent(lossyThroughput.lossRate)) loss, of Mathis's formula", wanted: "0.5 to 2 times",
          measured: "\(rounded(ratio)) times", isMet: (0.5...2).contains(ratio)))
    }
    return goals
  }

  private func delayGoal(_ name: String, _ value: Double, atMost limit: Double) -> Goal {
    Goal(name: name, wanted: "at most \(Int(limit)) µs", measured: "\(Int(value)) µs", isMet: value <= limit)
  }

  private func percent(_ share: Double) -> String { "\(rounded(share * 100)) %" }

  private func rounded(_ value: Double) -> String {
    let hundredths = (value * 100).rounded() / 100
    return hundredths == hundredths.rounded() ? String(Int(hundredths)) : String(hundredths)
  }
}
