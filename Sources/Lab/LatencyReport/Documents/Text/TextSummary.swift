/// The outcome for a terminal of 80 columns.
package struct TextSummary: Sendable {
  package static let columns = 80
  /// The number of caveats that are shown, the realised loss and the discarded runs; a terminal has no room for all.
  private static let sentences = 2

  private let results: ExperimentResults
  private let names: ArmNames

  package init(_ results: ExperimentResults) {
    self.results = results
    names = ArmNames(results.arms)
  }

  package var text: String {
    var lines = PlainText.wrapped(results.header.question, width: Self.columns)
    lines += [""] + PlainText.wrapped(results.header.verdict, width: Self.columns)
    lines += PlainText.wrapped("What would change it: " + results.header.caveat, width: Self.columns)
    lines += [""] + percentiles + [""] + findings
    for budget in results.budgets {
      lines += PlainText.wrapped(text(budget), width: Self.columns)
    }
    let honesty = ReportRemarks.sentences(results)
    lines += [""] + honesty.prefix(Self.sentences).flatMap(bullet)
    if honesty.count > Self.sentences {
      lines += bullet("The report says what else to keep in mind.")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private var percentiles: [String] {
    let metrics: [Metric] = [.excessP50, .excessP90, .excessP95, .excessP99, .excessMax, .stallShare200]
    let shown = metrics.filter { metric in results.arms.contains { $0.summary.contains { $0.metric == metric } } }
    guard !shown.isEmpty else { return ["No run was kept."] }
    let width = 10
    let first = Self.columns - shown.count * width
    let heading = shown.map { metric in
      metric == .stallShare200 ? "stalled %" : MetricText.heading(metric) + " ms"
    }
    var lines = ["Excess latency, median over runs (stalled: share of time in stalls > 200 ms)"]
    lines.append(
      PlainText.padded("", to: first) + heading.map { PlainText.padded($0, to: width, atEnd: true) }.joined())
    let decimals = shown.map { metric in
      NumberText.decimals(for: results.arms.flatMap(\.summary).filter { $0.metric == metric }.map(\.median))
    }
    for arm in results.arms {
      let cells = zip(shown, decimals).map { metric, decimals in
        arm.summary.first { $0.metric == metric }.map {
          (arm.hasLowerBoundMedian(metric) ? "≥" : "") + NumberText.fixed($0.median, decimals: decimals)
        } ?? "-"
      }
      lines.append(
        PlainText.padded(names.label(arm.name), to: first)
          + cells.map { PlainText.padded($0, to: width, atEnd: true) }.joined())
    }
    return lines
  }

  private var findings: [String] {
    guard let first = results.comparisons.first else { return ["Nothing was compared."] }
    let pair = results.comparisons.filter { $0.baseline == first.baseline && $0.arm == first.arm }
    let shown = pair.filter { $0 == first || $0.judgement.difference != nil }
    let others = ComparisonTables.groups(pair.filter { !shown.contains($0) })
    return shown.flatMap {
      bullet("\($0.metric.label): \(FindingText.sentence($0, names: names))")
    } + others.flatMap(bullet)
  }

  private func text(_ budget: BudgetOutcome) -> String {
    let value = budget.value.map { budget.metric.text($0) } ?? "not measured"
    return "Budget \(budget.isKept ? "kept" : "MISSED"): \(names.label(budget.arm)), \(budget.metric.label) \(value), "
      + "limit \(budget.metric.text(budget.limit))"
  }

  private func bullet(_ text: String) -> [String] {
    PlainText.wrapped(text, width: Self.columns - 2).enumerated().map { ($0.offset == 0 ? "- " : "  ") + $0.element }
  }
}
