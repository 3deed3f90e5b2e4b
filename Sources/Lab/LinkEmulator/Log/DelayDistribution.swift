import LinkModel

/// Percentiles of delays, in microseconds.
package struct DelayDistribution: Codable, Hashable, Sendable {
  package var count: Int
  package var p50Microseconds: Double
  package var p99Microseconds: Double
  package var p999Microseconds: Double
  package var maximumMicroseconds: Double

  /// Nearest-rank percentiles; all 0 without values.
  package init(nanoseconds values: [Int64]) {
    let sorted = values.sorted()
    func percentile(_ share: Double) -> Double {
      Double(Quantile.nearestRank(share, sorted: sorted) ?? 0) / 1_000
    }
    count = sorted.count
    p50Microseconds = percentile(0.5)
    p99Microseconds = percentile(0.99)
    p999Microseconds = percentile(0.999)
    maximumMicroseconds = percentile(1)
  }
}
