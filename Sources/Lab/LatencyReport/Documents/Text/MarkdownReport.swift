/// The report in short, fit for a change request.
package struct MarkdownReport: Sendable {
  private let results: ExperimentResults

  package init(_ results: ExperimentResults) {
    self.results = results
  }

  package var source: String {
    let names = ArmNames(results.arms)
    let tables = ReportTables(results: results, names: names)
    var document = MarkdownDocument()
    document.add(results.header)
    document.add(
      MarkdownText.escaped("Network: \(LinkText.short(results.scenario.link)). Workload: \(results.scenario.workload).")
    )
    let comparisons = ComparisonTables(results: results, names: names).tables
    for table in [tables.budgets, tables.percentiles] + comparisons + [
      tables.stalls, tables.reading, tables.firstEvent, tables.recovery,
      tables.companions, tables.loss, tables.failures, tables.discarded,
    ] {
      document.add(table?.markdown())
    }
    document.addList("What to keep in mind", ReportRemarks.sentences(results))
    return document.text
  }
}
