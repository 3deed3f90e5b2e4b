/// A comparison's finding in words.
enum FindingText {
  /// As "HTTP/3 better by 40.2 ms [35.1, 43.3]".
  static func sentence(_ comparison: Comparison, names: ArmNames, noiseFloorMilliseconds: Double) -> String {
    switch comparison.finding {
    case .armBetter: "\(names.label(comparison.arm)) better by \(amount(comparison))"
    case .baselineBetter: "\(names.label(comparison.baseline)) better by \(amount(comparison))"
    case .noSignificantDifference: "no significant difference"
    case .belowNoiseFloor:
      "not judged: below the noise floor of \(NumberText.shortest(noiseFloorMilliseconds)) ms"
    case .tooFewRuns: "not judged: too few runs"
    }
  }

  /// For the margin of a plot.
  static func short(_ comparison: Comparison) -> String {
    switch comparison.finding {
    case .armBetter, .baselineBetter: interval(comparison.mean, comparison.low, comparison.high)
    case .noSignificantDifference: "no significant difference"
    case .belowNoiseFloor: "below the noise floor"
    case .tooFewRuns: "too few runs"
    }
  }

  /// As "40.2 [35.1, 43.3]".
  static func interval(_ value: Double, _ low: Double, _ high: Double) -> String {
    let decimals = NumberText.decimals(for: [value, low, high])
    return NumberText.fixed(value, decimals: decimals) + " [" + NumberText.fixed(low, decimals: decimals) + ", "
      + NumberText.fixed(high, decimals: decimals) + "]"
  }

  /// How much better the better one is, above zero also where more is better.
  private static func amount(_ comparison: Comparison) -> String {
    let sign: Double = comparison.mean < 0 ? -1 : 1
    let ends = [comparison.low * sign, comparison.high * sign]
    let unit = comparison.metric.unit == .share ? "percentage points" : comparison.metric.unit.rawValue
    let values = [abs(comparison.mean)] + ends
    let decimals = NumberText.decimals(for: values)
    let texts = [values[0], min(ends[0], ends[1]), max(ends[0], ends[1])].map {
      NumberText.fixed($0, decimals: decimals)
    }
    return texts[0] + (unit.isEmpty ? "" : " " + unit) + " [\(texts[1]), \(texts[2])]"
  }
}
