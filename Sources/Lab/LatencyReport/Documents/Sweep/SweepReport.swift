/// The report of a grid of experiments, as HTML and as Markdown.
package struct SweepReport: Sendable {
  private let grid: SweepGrid
  private let names: ArmNames
  private let header: Header
  private let tables: SweepTables

  /// - Parameters:
  ///   - verdict: One sentence; nil: how often each arm was better, counted from the findings.
  ///   - rerunCommand: The command that ran the whole grid.
  /// Nil where there is no experiment.
  package init?(
    _ experiments: [ExperimentResults], question: String, verdict: String? = nil, caveat: String? = nil,
    rerunCommand: String? = nil
  ) {
    guard let first = experiments.first, let last = experiments.last else { return nil }
    grid = SweepGrid(experiments)
    names = ArmNames(sweep: experiments)
    tables = SweepTables(grid: grid, names: names)
    let tables = tables
    let counted = grid.metrics.lazy.compactMap { $0 == .excessP50 ? nil : tables.count($0) }.first
    var header = first.header
    header.question = question
    header.verdict = verdict ?? counted ?? grid.metrics.first.flatMap(tables.count) ?? "There is nothing to compare."
    header.caveat = caveat ?? first.header.caveat
    header.provenance.finished = last.header.provenance.finished
    header.provenance.loadAfter = last.header.provenance.loadAfter
    if let rerunCommand { header.provenance.rerunCommand = rerunCommand }
    header.honesty = ReportRemarks.sentences(sweep: experiments)
    self.header = header
  }

  private var summary: [NamedValue] {
    let experiments = grid.experiments
    let runs = experiments.flatMap { $0.arms.map(\.runs.count) }
    return [
      NamedValue("experiments", "\(experiments.count)"),
      NamedValue("loss", grid.losses.map(NumberText.shortest).joined(separator: ", ") + " %"),
      NamedValue("links", grid.columns.map(\.title).joined(separator: "; ")),
      NamedValue("workload", experiments[0].scenario.workload),
      NamedValue(
        "runs kept of each arm",
        runs.min() == runs.max() ? "\(runs.max() ?? 0)" : "\(runs.min() ?? 0) to \(runs.max() ?? 0)"),
    ]
  }

  package var html: String {
    let links =
      grid.metrics.map { ("metric-\($0.rawValue)", MetricText.title($0)) } + [
        ("verdicts", "Every cell"), ("honesty", "What to keep in mind"), ("provenance", "Provenance"),
        ("definitions", "Definitions"),
      ]
    let top = ReportHeader(kicker: "Latency lab · sweep", header: header, summary: summary, links: links)
    let sections = grid.metrics.map { metric in
      HTMLPage.section(
        MetricText.title(metric), identifier: "metric-\(metric.rawValue)",
        [
          GridFigure(grid, metric: metric, names: names)?.markup(), tables.table(metric).markup(),
          tables.count(metric).map { .element("p", [:], Markup(text: ProseText.bound($0))) },
        ])
    }
    let content: [Markup?] =
      [top.markup] + sections + [
        HTMLPage.section("Every cell", identifier: "verdicts", [tables.verdicts.markup()]),
        .element(
          "section", ["class": "honesty"], .element("h2", ["id": "honesty"], "What to keep in mind"),
          HTMLPage.list(header.honesty)),
        ProvenanceSection(provenance: header.provenance).markup,
        HTMLPage.section(
          "Definitions", identifier: "definitions", [DefinitionList(metrics: grid.metrics).markup]),
      ]
    return HTMLPage(title: header.question, content: content.compactMap { $0 }).source
  }

  package var markdown: String {
    var document = MarkdownDocument()
    document.add(header)
    document.add(grid.metrics.map { tables.table($0).markdown() }.joined(separator: "\n\n"))
    document.addList("What to keep in mind", header.honesty)
    return document.text
  }
}
