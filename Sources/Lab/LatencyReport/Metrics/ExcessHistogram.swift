import Histogram

/// Excess latencies of one run, or of many, in an HdrHistogram of microseconds with three significant digits.
struct ExcessHistogram {
  /// The largest value that the histogram records; larger ones count as this.
  private static let longestMicroseconds: UInt64 = 24 * 3600 * 1_000_000

  private var histogram = Histogram<UInt64>(
    lowestDiscernibleValue: 1, highestTrackableValue: longestMicroseconds, numberOfSignificantValueDigits: .three)
  /// Not rounded as the histogram's values are; nil of nothing.
  private(set) var maximumMilliseconds: Double?
  /// The minimum before negative values were raised to 0, of events that arrived.
  private(set) var rawMinimumMilliseconds: Double?

  var count: Int { Int(clamping: histogram.totalCount) }

  /// A negative value, which only a wrong clock or a wrong configuration gives, counts as 0.
  mutating func record(milliseconds: Double) {
    let microseconds = (milliseconds * 1000).rounded()
    let value = microseconds > 0 ? min(UInt64(exactly: microseconds) ?? .max, Self.longestMicroseconds) : 0
    histogram.record(value)
    maximumMilliseconds = max(maximumMilliseconds ?? 0, milliseconds)
  }

  mutating func noteArrival(milliseconds: Double) {
    rawMinimumMilliseconds = min(rawMinimumMilliseconds ?? milliseconds, milliseconds)
  }

  mutating func add(_ other: ExcessHistogram) {
    guard let maximum = other.maximumMilliseconds else { return }
    histogram.add(other.histogram)
    maximumMilliseconds = max(maximumMilliseconds ?? 0, maximum)
    if let minimum = other.rawMinimumMilliseconds { noteArrival(milliseconds: minimum) }
  }

  /// The value that a share of `quantile` of all does not exceed, in milliseconds; nil of nothing.
  func milliseconds(at quantile: Double) -> Double? {
    guard let maximumMilliseconds else { return nil }
    // The histogram answers with the highest value of a bucket, which may lie above the largest one recorded.
    return min(Double(histogram.valueAtPercentile(quantile * 100)) / 1000, maximumMilliseconds)
  }
}
