/// Differences between arms as parts of a sentence.
enum DifferenceText {
  /// For example "35.1 ms lower than HTTP/2's (median of 10 pairs of 5 seeds, 95 % interval 31 to 41 ms)", of the arm
  /// against the baseline.
  static func sentence(_ difference: JudgedDifference, of comparison: Comparison, than baseline: String?) -> String {
    let metric = comparison.metric
    let ends = [abs(difference.interval.low), abs(difference.interval.high)].sorted()
    return "\(amount(abs(difference.median), metric)) \(difference.median > 0 ? "lower" : "higher")"
      + (baseline.map { " than \($0)'s " } ?? " ")
      + "(median of \(size(comparison.size)), 95 % interval \(Metric.number(ends[0])) to \(amount(ends[1], metric)))"
  }

  /// For example "95 % interval of the median difference -3 to 5.1 ms, 10 pairs of 5 seeds", where neither is said to
  /// be better.
  static func interval(_ interval: Interval, of comparison: Comparison) -> String {
    "95 % interval of the median difference \(range(interval, comparison.metric)), \(size(comparison.size))"
  }

  /// For example "-3 to 5.1 ms".
  static func range(_ range: Interval, _ metric: Metric) -> String {
    "\(Metric.number(range.low)) to \(amount(range.high, metric))"
  }

  /// For example "10 pairs of 5 seeds".
  static func size(_ size: SampleSize) -> String {
    "\(count(size.values, "pair")) of \(count(size.seeds, "seed"))"
  }

  static func count(_ number: Int, _ noun: String) -> String {
    "\(Metric.number(Double(number))) \(noun)\(number == 1 ? "" : "s")"
  }

  /// A difference of shares is in percentage points, as "20 % lower" would mean something else.
  private static func amount(_ value: Double, _ metric: Metric) -> String {
    metric.unit == .share ? "\(Metric.number(value)) percentage points" : metric.text(value)
  }
}
