/// Quantiles of a few exact values; the thousands of excess latencies go into an HdrHistogram instead.
enum Quantile {
  /// The middle value, or the mean of the two in the middle; nil of nothing.
  static func median(_ values: [Double]) -> Double? {
    guard !values.isEmpty else { return nil }
    return median(sorted: values.sorted())
  }

  /// The same, of at least one value in rising order.
  static func median(sorted: [Double]) -> Double {
    let middle = sorted.count / 2
    return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
  }

  /// The smallest value that is not exceeded by a share of `quantile` of all: the nearest rank, as HdrHistogram has it.
  static func nearestRank(_ quantile: Double, sorted: [Double]) -> Double? {
    guard !sorted.isEmpty else { return nil }
    // The small step back keeps 0.95 x 20 = 19.000000000000004 from being rank 20.
    let rank = (quantile * Double(sorted.count) - 1e-9).rounded(.up)
    return sorted[min(max(Int(rank), 1), sorted.count) - 1]
  }
}
