/// Delivery opportunities that are made up, not measured, and named after their shape.
package enum SyntheticTrace {
  /// A phase of a drive: how fast the link is and how long that lasts.
  private struct Phase: Sendable {
    /// Shares of the peak between which the rate wanders.
    var lowShare: Double
    var highShare: Double
    var meanMilliseconds: Double
    var mostMilliseconds: Double
    /// The probability with which each phase, in the order of `drivePhases`, follows.
    var next: [Double]
  }

  /// The longest time without an opportunity, as in public recordings of LTE from a moving car (1.06 to 1.5 s).
  package static let longestOutageMilliseconds = 1500

  /// Good, fair, poor, none.
  private static let drivePhases = [
    Phase(lowShare: 0.5, highShare: 1, meanMilliseconds: 5000, mostMilliseconds: 20_000, next: [0, 0.8, 0.15, 0.05]),
    Phase(lowShare: 0.15, highShare: 0.5, meanMilliseconds: 4000, mostMilliseconds: 15_000, next: [0.5, 0, 0.4, 0.1]),
    Phase(lowShare: 0.02, highShare: 0.15, meanMilliseconds: 1500, mostMilliseconds: 6000, next: [0.1, 0.6, 0, 0.3]),
    Phase(lowShare: 0, highShare: 0, meanMilliseconds: 500, mostMilliseconds: 1400, next: [0.1, 0.3, 0.6, 0]),
  ]

  /// The shape of a cellular link from a moving car: seconds that are good or bad, a rate that wanders within them, and
  /// outages of up to 1.5 s. The mean rate is about a third of the peak.
  ///
  /// - Parameters:
  ///   - durationMilliseconds: The trace's length, held between 1 second and 1 hour.
  ///   - peakBitsPerSecond: The best rate, held between 100 kbit/s and 100 Mbit/s.
  package static func lteDrive(
    seed: UInt64, durationMilliseconds: Int = 300_000, peakBitsPerSecond: Double = 16e6
  ) -> [Int] {
    let duration = min(max(durationMilliseconds, 1000), 3_600_000)
    // A rate that is no number falls to the least.
    let peak = peakBitsPerSecond >= 100_000 ? min(peakBitsPerSecond, 100e6) : 100_000
    let peakPerMillisecond = peak / 8 / Double(OpportunityCursor.bytesPerOpportunity) / 1000
    var generator = LinkGenerator(seed: seed)
    var times: [Int] = []
    var phase = drivePhases[0]
    var phaseEnds = 0.0
    var share = 0.0
    var credit = 0.0
    var last = 0
    for millisecond in 1...duration {
      if Double(millisecond) > phaseEnds {
        if phaseEnds > 0 { phase = following(phase, &generator) }
        let length = generator.exponential(mean: phase.meanMilliseconds)
        phaseEnds = Double(millisecond) + min(length, phase.mostMilliseconds)
        share = phase.lowShare + generator.unit() * (phase.highShare - phase.lowShare)
      }
      // The rate takes a step of up to a twentieth of the phase's span each millisecond and stays within it.
      let step = (generator.unit() - 0.5) * (phase.highShare - phase.lowShare) / 10
      share = min(max(share + step, phase.lowShare), phase.highShare)
      credit += share * peakPerMillisecond * 2 * generator.unit()
      while credit >= 1 {
        times.append(millisecond)
        credit -= 1
        last = millisecond
      }
      if millisecond - last >= longestOutageMilliseconds || millisecond == duration && last < duration {
        times.append(millisecond)
        last = millisecond
      }
    }
    return times
  }

  private static func following(_ phase: Phase, _ generator: inout LinkGenerator) -> Phase {
    var rest = generator.unit()
    for (index, chance) in phase.next.enumerated() {
      if rest < chance { return drivePhases[index] }
      rest -= chance
    }
    return drivePhases[1]
  }
}
