/// The times of calls, in microseconds.
struct DispatchTimes {
  private var values: [Double] = []

  /// - Parameter calls: dispatched together in that time, which counts for each in equal parts.
  mutating func add(_ time: Duration, calls: Int) {
    values.append(time / .microseconds(1) / Double(max(calls, 1)))
  }

  var mean: Double { values.isEmpty ? 0 : values.reduce(0, +) / Double(values.count) }

  /// The value that this share of all lies below; 0 without values.
  func percentile(_ share: Double) -> Double {
    guard !values.isEmpty else { return 0 }
    let sorted = values.sorted()
    return sorted[min(Int(Double(sorted.count) * min(max(share, 0), 1)), sorted.count - 1)]
  }
}
