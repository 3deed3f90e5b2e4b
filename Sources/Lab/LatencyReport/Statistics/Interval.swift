/// Two ends, the lower first.
package struct Interval: Codable, Hashable, Sendable {
  package var low: Double
  package var high: Double

  package init(low: Double, high: Double) {
    self.low = low
    self.high = high
  }

  package func contains(_ value: Double) -> Bool { low <= value && value <= high }

  /// Whether no value lies in both.
  package func isApart(from other: Interval) -> Bool { high < other.low || other.high < low }
}
