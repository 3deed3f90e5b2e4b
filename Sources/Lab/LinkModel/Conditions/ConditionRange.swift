/// The valid range of a number among the conditions.
struct ConditionRange: Sendable {
  var least: Double
  var most: Double
  /// Follows the range in an error, with what else must be known.
  var unit: String

  init(_ least: Double, _ most: Double, unit: String = "") {
    self.least = least
    self.most = most
    self.unit = unit
  }

  static let probability = ConditionRange(0, 1)
  /// Bad times need good ones between them.
  static let timeShare = ConditionRange(0, 0.99)
  /// An hour each way is more than any link on Earth has.
  static let delay = ConditionRange(0, 3_600_000, unit: "ms")
  static let rate = ConditionRange(1_000, 1e12, unit: "bit/s")
  static let burst = ConditionRange(1, 1_000_000, unit: "packets")
  /// Up to 11 days.
  static let time = ConditionRange(0, 1e9, unit: "ms")
  /// More than nothing: a microsecond.
  static let duration = ConditionRange(0.001, 1e9, unit: "ms")
  static let period = ConditionRange(1, 1e9, unit: "ms")

  /// Nil is always allowed: the stage is not there.
  func check(_ value: Double?, _ field: String) throws(LinkConditionsError) {
    guard let value else { return }
    // Comparisons with NaN are false, so it is refused too.
    guard value >= least, value <= most else {
      throw LinkConditionsError(
        field: field, value: "\(value)",
        allowed: "\(Self.text(least)) to \(Self.text(most))\(unit.isEmpty ? "" : " ")\(unit)")
    }
  }

  static func checkInteger(
    _ value: Int?, _ range: ClosedRange<Int>, _ field: String, unit: String
  ) throws(LinkConditionsError) {
    guard let value, !range.contains(value) else { return }
    throw LinkConditionsError(
      field: field, value: "\(value)", allowed: "a whole number, \(range.lowerBound) to \(range.upperBound) \(unit)")
  }

  static func checkCount(
    _ count: Int?, _ range: ClosedRange<Int>, _ field: String, of what: String
  ) throws(LinkConditionsError) {
    guard let count, !range.contains(count) else { return }
    throw LinkConditionsError(
      field: field, value: "a list of \(count)", allowed: "a list of \(range.lowerBound) to \(range.upperBound) \(what)"
    )
  }

  /// Whole numbers without their fraction.
  private static func text(_ value: Double) -> String {
    Double(Int64(value)) == value ? "\(Int64(value))" : "\(value)"
  }
}
