/// A table of differences for each pair of arms, in the order of the results.
struct ComparisonTables {
  private struct Pair: Hashable {
    var baseline: String
    var arm: String
  }

  let results: ExperimentResults
  let names: ArmNames

  private var noiseFloor: Double { results.header.provenance.noiseFloorMilliseconds }

  var tables: [Table] {
    var seen: Set<Pair> = []
    let pairs = results.comparisons.map { Pair(baseline: $0.baseline, arm: $0.arm) }.filter { seen.insert($0).inserted }
    return pairs.map { pair in
      table(pair, results.comparisons.filter { $0.baseline == pair.baseline && $0.arm == pair.arm })
    }
  }

  /// Latency has a row whatever was found; of the rest, only what differs. What does not is named below.
  private func table(_ pair: Pair, _ comparisons: [Comparison]) -> Table {
    let headline = comparisons.first?.metric
    let rows = comparisons.filter { isJudged($0) || MetricText.isExcess($0.metric) || $0.metric == headline }
    let others = comparisons.filter { !rows.contains($0) }
    return Table(
      title: "Paired differences: \(names.label(pair.baseline)) − \(names.label(pair.arm))",
      columns: [
        Table.Column("metric", isWide: true), Table.Column("pairs", isNumber: true),
        Table.Column("mean difference [95 % interval]", isNumber: true), Table.Column("finding", isWide: true),
      ],
      rows: rows.map { comparison in
        [
          Table.Cell(comparison.metric.label), Table.Cell("\(comparison.differences.count)"), difference(comparison),
          Table.Cell(
            FindingText.sentence(comparison, names: names, noiseFloorMilliseconds: noiseFloor),
            emphasis: isJudged(comparison) ? .strong : .quiet),
        ]
      },
      note: MetricTable.note(
        others.isEmpty ? nil : Self.groups(others).joined(separator: " "), arms: arms(of: pair),
        metrics: rows.map(\.metric)))
  }

  private func difference(_ comparison: Comparison) -> Table.Cell {
    guard comparison.mean.isFinite, !comparison.differences.isEmpty else { return Table.notMeasured }
    let unit = comparison.metric.unit.rawValue
    return Table.Cell(
      FindingText.interval(comparison.mean, comparison.low, comparison.high) + (unit.isEmpty ? "" : " " + unit),
      detail: lowerBounds(comparison))
  }

  /// As "(deadline: HTTP/2 in 3 of 9 pairs)".
  private func lowerBounds(_ comparison: Comparison) -> String? {
    let pairs = Set(comparison.differences.map(\.repetition))
    let parts = arms(of: Pair(baseline: comparison.baseline, arm: comparison.arm)).compactMap { arm -> String? in
      let bounds = arm.runs.count { pairs.contains($0.repetition) && $0.isLowerBound(comparison.metric) }
      return bounds > 0 ? "\(names.label(arm.name)) in \(bounds) of \(DifferenceText.count(pairs.count, "pair"))" : nil
    }
    return parts.isEmpty ? nil : "(deadline: \(parts.joined(separator: ", ")))"
  }

  private func arms(of pair: Pair) -> [ArmResults] {
    results.arms.filter { $0.name == pair.baseline || $0.name == pair.arm }
  }

  private func isJudged(_ comparison: Comparison) -> Bool {
    comparison.finding == .armBetter || comparison.finding == .baselineBetter
  }

  /// Metrics without a verdict, by the reason why there is none.
  static func groups(_ comparisons: [Comparison]) -> [String] {
    let reasons: [(Comparison.Finding, String)] = [
      (.noSignificantDifference, "No significant difference in"), (.belowNoiseFloor, "Below the noise floor"),
      (.tooFewRuns, "Too few runs to judge"),
    ]
    return reasons.compactMap { finding, words in
      let metrics = comparisons.filter { $0.finding == finding }.map(\.metric.label)
      return metrics.isEmpty ? nil : "\(words): \(metrics.joined(separator: ", "))."
    }
  }
}
