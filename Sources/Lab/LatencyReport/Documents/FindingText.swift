/// A comparison's finding in words.
enum FindingText {
  /// For example "HTTP/3 better by 40.2 ms [35.1, 43.3]".
  static func sentence(_ comparison: Comparison, names: ArmNames) -> String {
    let unit = comparison.metric.unit
    switch comparison.judgement {
    case .armBetter(let difference): return "\(names.label(comparison.arm)) better by \(amount(difference, unit))"
    case .baselineBetter(let difference):
      return "\(names.label(comparison.baseline)) better by \(amount(difference, unit))"
    case .equivalent(let equivalence):
      return "no difference as large as \(NumberText.shortest(equivalence.bound)) \(unit.rawValue)"
    case .undecided(let undecided): return reason(undecided)
    case .belowNoiseFloor:
      return "not judged: below the noise floor of \(NumberText.plain(comparison.noiseFloor)) \(unit.rawValue)"
    case .tooFew: return "not judged: too few"
    }
  }

  /// For the margin of a plot.
  static func short(_ comparison: Comparison) -> String {
    switch comparison.judgement {
    case .armBetter(let difference), .baselineBetter(let difference):
      interval(difference.median, difference.interval)
    case .equivalent: "equivalent"
    case .undecided: "no difference shown"
    case .belowNoiseFloor: "below the noise floor"
    case .tooFew: "too few"
    }
  }

  /// The text of a column of differences: the difference where one was found, the interval where none is shown, the
  /// range of too few pairs, and nothing below the noise floor.
  static func number(_ comparison: Comparison) -> String? {
    let unit = comparison.metric.unit.rawValue
    let suffix = unit.isEmpty ? "" : " " + unit
    switch comparison.judgement {
    case .armBetter(let difference), .baselineBetter(let difference):
      return interval(difference.median, difference.interval) + suffix
    case .equivalent(let equivalence): return ends(equivalence.interval) + suffix
    case .undecided(let undecided): return ends(undecided.interval) + suffix
    case .belowNoiseFloor: return nil
    case .tooFew(let range): return "range " + ends(range) + suffix
    }
  }

  private static func reason(_ undecided: Undecided) -> String {
    switch undecided.reason {
    case .intervalHoldsZero: "no difference shown"
    case .corrected: "no difference shown, corrected for the number of comparisons"
    }
  }

  /// For example "40.2 [35.1, 43.3]".
  private static func interval(_ value: Double, _ interval: Interval) -> String {
    let decimals = NumberText.decimals(for: [value, interval.low, interval.high])
    return NumberText.fixed(value, decimals: decimals) + " " + ends(interval, decimals: decimals)
  }

  private static func ends(_ interval: Interval, decimals: Int? = nil) -> String {
    let decimals = decimals ?? NumberText.decimals(for: [interval.low, interval.high])
    return "[" + NumberText.fixed(interval.low, decimals: decimals) + ", "
      + NumberText.fixed(interval.high, decimals: decimals) + "]"
  }

  /// The advantage of the better one, above zero also where more is better.
  private static func amount(_ difference: JudgedDifference, _ unit: Metric.Unit) -> String {
    let sign: Double = difference.median < 0 ? -1 : 1
    let ends = [difference.interval.low * sign, difference.interval.high * sign].sorted()
    let name = unit == .share ? "percentage points" : unit.rawValue
    let decimals = NumberText.decimals(for: [abs(difference.median)] + ends)
    let texts = ([abs(difference.median)] + ends).map { NumberText.fixed($0, decimals: decimals) }
    return texts[0] + (name.isEmpty ? "" : " " + name) + " [\(texts[1]), \(texts[2])]"
  }
}
