/// A table of differences for each pair of arms, in the order of the results.
struct ComparisonTables {
  private struct Pair: Hashable {
    var baseline: String
    var arm: String
  }

  let results: ExperimentResults
  let names: ArmNames

  var tables: [Table] {
    var seen: Set<Pair> = []
    let pairs = results.comparisons.map { Pair(baseline: $0.baseline, arm: $0.arm) }.filter { seen.insert($0).inserted }
    return pairs.map { pair in
      table(pair, results.comparisons.filter { $0.baseline == pair.baseline && $0.arm == pair.arm })
    }
  }

  /// Latency has a row whatever was found; of the rest, only what differs. What does not is named below.
  private func table(_ pair: Pair, _ comparisons: [Comparison]) -> Table {
    let rows = comparisons.filter { isFound($0) || MetricText.isExcess($0.metric) || $0.role == .primary }
    let others = comparisons.filter { !rows.contains($0) }
    return Table(
      title: "Paired differences: \(names.label(pair.baseline)) − \(names.label(pair.arm))",
      columns: [
        Table.Column("metric", isWide: true), Table.Column("chosen"), Table.Column("seeds", isNumber: true),
        Table.Column("runs", isNumber: true), Table.Column("pairs", isNumber: true),
        Table.Column("floor", isNumber: true),
        Table.Column("median difference [95 % interval]", isNumber: true), Table.Column("finding", isWide: true),
        Table.Column("commit, kernel"),
      ],
      rows: rows.map { row($0, pair) },
      note: MetricTable.note(
        others.isEmpty ? nil : Self.groups(others).joined(separator: " "), arms: arms(of: pair),
        metrics: rows.map(\.metric)))
  }

  private func row(_ comparison: Comparison, _ pair: Pair) -> [Table.Cell] {
    let runs = [pair.baseline, pair.arm].map { name in
      results.arms.first { $0.name == name }.map { "\($0.runs.count)" } ?? "0"
    }
    let unit = comparison.metric.unit.rawValue
    return [
      Table.Cell(comparison.metric.label), Table.Cell(comparison.role == .primary ? "before" : "exploratory"),
      Table.Cell("\(comparison.size.seeds)"), Table.Cell(runs.joined(separator: ", ")),
      Table.Cell("\(comparison.size.values)"),
      comparison.noiseFloor > 0
        ? Table.Cell(NumberText.plain(comparison.noiseFloor) + " " + unit) : Table.Cell("none", emphasis: .quiet),
      difference(comparison),
      Table.Cell(
        FindingText.sentence(comparison, names: names), emphasis: isFound(comparison) ? .strong : .quiet),
      Table.Cell("\(results.header.provenance.commit), \(results.header.provenance.kernel)"),
    ]
  }

  private func difference(_ comparison: Comparison) -> Table.Cell {
    FindingText.number(comparison).map { Table.Cell($0, detail: lowerBounds(comparison)) } ?? Table.notMeasured
  }

  /// For example "(deadline: HTTP/2 in 3 of 9 pairs)".
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

  private func isFound(_ comparison: Comparison) -> Bool { comparison.judgement.difference != nil }

  /// Metrics without a difference, by the reason why there is none.
  static func groups(_ comparisons: [Comparison]) -> [String] {
    let reasons: [(Judgement.Finding, String)] = [
      (.equivalent, "No difference as large as the bound in"), (.undecided, "No difference shown in"),
      (.belowNoiseFloor, "Below the noise floor"), (.tooFew, "Too few pairs to judge"),
    ]
    return reasons.compactMap { finding, words in
      let metrics = comparisons.filter { $0.judgement.finding == finding }.map(\.metric.label)
      return metrics.isEmpty ? nil : "\(words): \(metrics.joined(separator: ", "))."
    }
  }
}
