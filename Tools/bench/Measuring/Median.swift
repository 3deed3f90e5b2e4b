import LinkModel

/// The middle of a benchmark's rounds, which one disturbed round does not move.
struct Median {
  private var values: [Double] = []

  mutating func add(_ value: Double) {
    values.append(value)
  }

  /// The middle value, the mean of the two middle ones for an even number; nil without values.
  var value: Double? { Quantile.median(values) }
}
