/// The middle of a benchmark's rounds, which one disturbed round does not move.
struct Median {
  private var values: [Double] = []

  mutating func add(_ value: Double) {
    values.append(value)
  }

  /// The middle value, the mean of the two middle ones for an even number; nil without values.
  var value: Double? {
    guard !values.isEmpty else { return nil }
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
  }
}
