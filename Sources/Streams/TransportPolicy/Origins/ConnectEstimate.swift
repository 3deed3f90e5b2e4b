/// An estimate of the time to connect, learnt from connections that were made: RFC 6298's estimator, in microseconds.
package struct ConnectEstimate: Hashable, Sendable {
  package private(set) var smoothed: Int
  package private(set) var variation: Int

  /// Times are cut here: longer ones tell no more.
  private static let limit = 60_000_000

  /// Makes the estimate of a first measured time (RFC 6298 § 2.2).
  package init(_ sample: Duration) {
    smoothed = Self.microseconds(sample)
    variation = smoothed / 2
  }

  /// From its two numbers; nil where they cannot be this estimator's.
  package init?(smoothed: Int, variation: Int) {
    guard (0...Self.limit).contains(smoothed), (0...Self.limit).contains(variation) else { return nil }
    self.smoothed = smoothed
    self.variation = variation
  }

  /// Takes in another time (RFC 6298 § 2.3).
  package mutating func add(_ sample: Duration) {
    let sample = Self.microseconds(sample)
    variation = (3 * variation + abs(smoothed - sample)) / 4
    smoothed = (7 * smoothed + sample) / 8
  }

  /// By when nearly all connections are made: the mean and two mean deviations, within 100 to 400 ms.
  ///
  /// RFC 6298's four deviations are for time-outs that cost much when they come too early; a second racer that starts
  /// too early costs a TCP handshake.
  package var headStart: Duration {
    .microseconds(min(max(smoothed + 2 * variation, 100_000), 400_000))
  }

  private static func microseconds(_ duration: Duration) -> Int {
    let (seconds, attoseconds) = min(max(duration, .zero), .seconds(60)).components
    return Int(seconds) * 1_000_000 + Int(attoseconds / 1_000_000_000_000)
  }
}
