/// A limit that a metric's median over an arm's runs must keep, as `excessP99<150ms` or `h3:goodput>5Mbit/s`.
package struct Budget: Codable, Hashable, Sendable {
  /// nil: every arm that is not a control.
  package var arm: String?
  package var metric: Metric
  /// The limit in the metric's own unit.
  package var limit: Double

  package init(arm: String? = nil, metric: Metric, limit: Double) {
    self.arm = arm
    self.metric = metric
    self.limit = limit
  }

  package init(parsing text: String) throws(BudgetError) {
    guard let sign = text.firstIndex(where: { $0 == "<" || $0 == ">" }) else {
      throw BudgetError("the budget '\(text)' has no '<' or '>': write it as excessP99<150ms or h3:excessP99<150ms")
    }
    let left = text[..<sign].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map { $0.trimmed }
    let name = left.last ?? ""
    guard let metric = Metric(rawValue: name) else {
      throw BudgetError(
        "the budget '\(text)' names no metric that there is: '\(name)' is none of "
          + Metric.allCases.map(\.rawValue).joined(separator: ", "))
    }
    let wanted: Character = metric.isLowerBetter ? "<" : ">"
    guard text[sign] == wanted else {
      throw BudgetError(
        "the budget '\(text)' must be written with '\(wanted)': of \(name), \(wanted == "<" ? "less" : "more") is better"
      )
    }
    if left.count == 2, left[0].isEmpty {
      throw BudgetError(
        "the budget '\(text)' has no arm before its colon: write it as h3:\(name)\(wanted)…, or leave the colon out")
    }
    self.init(
      arm: left.count == 2 ? left[0] : nil, metric: metric,
      limit: try Self.limit(text[text.index(after: sign)...].trimmed, of: metric, in: text))
  }

  private static func limit(_ text: String, of metric: Metric, in budget: String) throws(BudgetError) -> Double {
    let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    let unit = text.dropFirst(digits.count).trimmed
    guard let number = Double(digits), number.isFinite else {
      throw BudgetError("the budget '\(budget)' has no number after its sign: '\(text)' is not a limit, 150ms is one")
    }
    let allowed = units(of: metric)
    guard let factor = unit.isEmpty ? 1 : allowed.first(where: { $0.name.lowercased() == unit.lowercased() })?.factor
    else {
      let names = allowed.map(\.name).joined(separator: " or ")
      throw BudgetError(
        "the budget '\(budget)' is in '\(unit)'; \(metric.rawValue) "
          + (names.isEmpty ? "is a count without a unit" : "is measured in \(names)"))
    }
    return number * factor
  }

  /// The units that a limit accepts, with their factors to the metric's own unit, which is the first.
  private static func units(of metric: Metric) -> [(name: String, factor: Double)] {
    switch metric.unit {
    case .milliseconds: [("ms", 1), ("s", 1000), ("us", 0.001)]
    case .seconds: [("s", 1), ("ms", 0.001)]
    case .share: [("%", 1)]
    case .count: []
    case .roundTrips: [("RTT", 1)]
    case .bytes: [("B", 1), ("kB", 1000), ("MB", 1_000_000)]
    case .megabitsPerSecond: [("Mbit/s", 1), ("kbit/s", 0.001)]
    }
  }

  /// Throws if the budget is for an arm that there is not.
  package func check(arms: [String]) throws(BudgetError) {
    guard let arm, !arms.contains(arm) else { return }
    throw BudgetError(
      "the budget for \(metric.rawValue) is for the arm '\(arm)'; this experiment has \(arms.joined(separator: ", "))")
  }

  /// One outcome for each arm that it is about; an arm in which the metric could not be measured misses it.
  func outcomes(_ arms: [ArmResults]) -> [BudgetOutcome] {
    let names = arm.map { [$0] } ?? arms.filter { !$0.isControl }.map(\.name)
    return names.map { name in
      let results = arms.first { $0.name == name }
      let value = results?.summary.first { $0.metric == metric }?.median
      // Runs without any event are in no median, and cannot meet a budget.
      let isWhole = results?.runsWithoutEvents == 0
      let isKept = isWhole && (value.map { metric.isLowerBetter ? $0 < limit : $0 > limit } ?? false)
      return BudgetOutcome(arm: name, metric: metric, limit: limit, value: value, isKept: isKept)
    }
  }
}

extension Substring {
  fileprivate var trimmed: String {
    String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }
}
