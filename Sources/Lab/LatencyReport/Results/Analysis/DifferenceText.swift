/// A paired difference in words.
enum DifferenceText {
  /// As "35.1 ms lower than HTTP/2's (95 % interval 31 to 41 ms, 10 pairs)", of the arm against the baseline.
  static func sentence(_ comparison: Comparison, than baseline: String?) -> String {
    let isLower = comparison.mean > 0
    let ends = [abs(comparison.low), abs(comparison.high)].sorted()
    let pairs = comparison.differences.count
    return "\(amount(abs(comparison.mean), comparison.metric)) \(isLower ? "lower" : "higher")"
      + (baseline.map { " than \($0)'s " } ?? " ")
      + "(95 % interval \(Metric.number(ends[0])) to \(amount(ends[1], comparison.metric)), \(count(pairs, "pair")))"
  }

  /// As "mean difference 1.2 ms, 95 % interval -3 to 5.1 ms, 10 pairs", where neither is said to be better.
  static func neutral(_ comparison: Comparison) -> String {
    "mean difference \(amount(comparison.mean, comparison.metric)), 95 % interval \(Metric.number(comparison.low)) to "
      + "\(amount(comparison.high, comparison.metric)), \(count(comparison.differences.count, "pair"))"
  }

  static func count(_ number: Int, _ noun: String) -> String {
    "\(Metric.number(Double(number))) \(noun)\(number == 1 ? "" : "s")"
  }

  /// A difference of shares is in percentage points, as "20 % lower" would mean something else.
  private static func amount(_ value: Double, _ metric: Metric) -> String {
    metric.unit == .share ? "\(Metric.number(value)) percentage points" : metric.text(value)
  }
}
