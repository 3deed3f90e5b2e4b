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
      guard !sorted.isEmpty else { return 0 }
      let rank = (share * Double(sorted.count)).rounded(.up)
      return Double(sorted[min(max(Int(rank) - 1, 0), sorted.count - 1)]) / 1_000
    }
    count = sorted.count
    p50Microseconds = percentile(0.5)
    p99Microseconds = percentile(0.99)
    p999Microseconds = percentile(0.999)
    maximumMicroseconds = percentile(1)
  }
}
