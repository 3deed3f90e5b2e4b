/// Quantiles of a few exact values. The one definition of a percentile in this package is the nearest rank: the smallest
/// value that at least the wanted share of all values does not exceed, as in HdrHistogram. It is always one of the values.
package enum Quantile {
  /// The place of a quantile in rising order, from 1 to `count`, which is at least 1.
  ///
  /// - Parameter quantile: from 0, the least value, to 1, the greatest.
  package static func rank(_ quantile: Double, of count: Int) -> Int {
    // The small step back keeps 0.95 × 20 = 19.000000000000004 from being rank 20.
    Int(min(max((quantile * Double(count) - 1e-9).rounded(.up), 1), Double(count)))
  }

  /// A quantile of values in rising order; nil without values.
  package static func nearestRank<Value>(_ quantile: Double, sorted: [Value]) -> Value? {
    sorted.isEmpty ? nil : sorted[rank(quantile, of: sorted.count) - 1]
  }

  /// The middle value, or the mean of the two in the middle; nil of nothing.
  package static func median(_ values: [Double]) -> Double? {
    values.isEmpty ? nil : median(sorted: values.sorted())
  }

  /// The same, of at least one value in rising order.
  package static func median(sorted: [Double]) -> Double {
    let middle = sorted.count / 2
    return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
  }
}
