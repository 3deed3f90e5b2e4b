import LinkModel

/// The times of calls, in microseconds.
struct DispatchTimes {
  private var values: [Double] = []

  /// - Parameter calls: dispatched together in that time, which counts for each in equal parts.
  mutating func add(_ time: Duration, calls: Int) {
    values.append(time / .microseconds(1) / Double(max(calls, 1)))
  }

  var mean: Double { values.isEmpty ? 0 : values.reduce(0, +) / Double(values.count) }

  /// The nearest rank; 0 without values.
  func percentile(_ share: Double) -> Double { Quantile.nearestRank(share, sorted: values.sorted()) ?? 0 }
}
