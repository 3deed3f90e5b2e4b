/// Two results side by side: per arm and metric the medians, their ratio, and whether the intervals are apart.
///
/// These are two experiments and not pairs of runs, so no difference is tested: intervals that are apart differ, those
/// that overlap may differ all the same.
package struct ResultsComparison: Encodable, Hashable, Sendable {
  package var first: Side
  package var second: Side
  package var rows: [Row]
  /// Arms that are in one of the two alone, and so in no row.
  package var armsInOneAlone: [String]
  /// Differences that make the two hard to compare, such as another link or workload; empty if there are none.
  package var warnings: [String]

  package struct Side: Encodable, Hashable, Sendable {
    package var scenario: String
    package var started: String
    package var kernel: String
  }

  package struct Row: Encodable, Hashable, Sendable {
    package var arm: String
    package var metric: Metric
    package var first: MetricSummary
    package var second: MetricSummary
    /// Second over first; nil where the first is 0.
    package var ratio: Double?
    package var intervalsAreApart: Bool
    /// Whether the second is better; nil where the intervals overlap or one is missing.
    package var secondIsBetter: Bool?
  }

  package init(_ first: ExperimentResults, _ second: ExperimentResults) {
    self.first = Side(first)
    self.second = Side(second)
    let others = Dictionary(second.arms.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    rows = first.arms.flatMap { arm -> [Row] in
      guard let other = others[arm.name] else { return [] }
      return arm.summary.compactMap { summary in
        other.summary.first { $0.metric == summary.metric }.map { Row(arm: arm.name, summary, $0) }
      }
    }
    let names = Set(first.arms.map(\.name))
    armsInOneAlone = names.symmetricDifference(others.keys).sorted()
    var warnings: [String] = []
    if first.scenario.link != second.scenario.link { warnings.append("the links are not the same") }
    if first.scenario.workload != second.scenario.workload || first.scenario.streams != second.scenario.streams {
      warnings.append("the workloads are not the same")
    }
    if first.header.provenance.kernel != second.header.provenance.kernel
      || first.header.provenance.machine != second.header.provenance.machine
    {
      warnings.append("the machines or their kernels are not the same")
    }
    if Set(first.arms.map(\.server)) != Set(second.arms.map(\.server)) {
      warnings.append("the servers are not the same")
    }
    if first.header.provenance.isSimulated != second.header.provenance.isSimulated {
      warnings.append("one was simulated and the other was not")
    }
    self.warnings = warnings
  }
}

extension ResultsComparison.Side {
  fileprivate init(_ results: ExperimentResults) {
    self.init(
      scenario: results.scenario.name, started: results.header.provenance.started,
      kernel: results.header.provenance.kernel)
  }
}

extension ResultsComparison.Row {
  fileprivate init(arm: String, _ first: MetricSummary, _ second: MetricSummary) {
    let isApart = first.hasInterval && second.hasInterval && first.ends.isApart(from: second.ends)
    self.init(
      arm: arm, metric: first.metric, first: first, second: second,
      ratio: first.median == 0 ? nil : second.median / first.median, intervalsAreApart: isApart,
      secondIsBetter: isApart ? (second.median < first.median) == first.metric.isLowerBetter : nil)
  }
}
