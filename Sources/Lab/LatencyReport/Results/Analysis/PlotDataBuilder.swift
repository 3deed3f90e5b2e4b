/// Picks and thins what is drawn, so that a report stays below about a megabyte.
struct PlotDataBuilder {
  let scenario: ScenarioSummary
  let headline: Metric

  /// 90 steps to 0.9, 45 in each tenth of the tail after it: about 230 points.
  private static let quantiles: [Double] = {
    var quantiles = (0..<90).map { Double($0) / 100 }
    for tail in [0.1, 0.01, 0.001] {
      for step in 0..<45 { quantiles.append(1 - tail + tail * 0.9 * Double(step) / 45) }
    }
    return quantiles + [0.9999]
  }()

  /// nil of no event. Quantiles that lie beyond the last but one event are left to the maximum.
  func distribution(arm: String, _ histogram: ExcessHistogram) -> PlotData.Distribution? {
    guard let maximum = histogram.maximumMilliseconds else { return nil }
    let finest = 1 - 1 / Double(histogram.count)
    let points = Self.quantiles.filter { $0 <= finest }.compactMap { quantile in
      histogram.milliseconds(at: quantile).map { PlotData.QuantilePoint(quantile: quantile, milliseconds: $0) }
    }
    return PlotData.Distribution(
      arm: arm, points: points + [PlotData.QuantilePoint(quantile: 1, milliseconds: maximum.rounded(to: 1000))])
  }

  /// One timeline an arm, all of the repetition whose difference in the headline metric is the median one.
  func timelines(
    arms: [ArmResults], comparisons: [Comparison], load: (_ arm: String, _ repetition: Int) -> RunRecord?
  ) -> [PlotData.Timeline] {
    guard scenario.downloadBytes == nil else { return [] }
    let pair = comparisons.first { $0.metric == headline }
    let common = pair.flatMap { Self.middle($0.differences.map { ($0.repetition, $0.difference) }) }
    // All arms together may have about 8 000 events, of some 50 bytes each.
    let limit = 8000 / max(1, arms.count)
    return arms.compactMap { arm in
      let repetitions = arm.runs.map(\.repetition)
      let own = Self.middle(arm.runs.compactMap { run in run.values[headline].map { (run.repetition, $0) } })
      let shared = common.flatMap { repetitions.contains($0) ? $0 : nil }
      guard let repetition = shared ?? own ?? repetitions.first, let record = load(arm.name, repetition) else {
        return nil
      }
      return TimelineBuilder(RunTimes(record, scenario: scenario), eventLimit: limit).timeline
    }
  }

  /// The one in the middle by value; of an even number the lower.
  static func middle(_ values: [(repetition: Int, value: Double)]) -> Int? {
    let sorted = values.sorted { ($0.value, $0.repetition) < ($1.value, $1.repetition) }
    return sorted.isEmpty ? nil : sorted[(sorted.count - 1) / 2].repetition
  }
}
