import LinkModel

/// The report of one experiment as one HTML file, drawn from its results alone.
package struct HTMLReport: Sendable {
  private struct Section {
    var identifier: String
    var title: String
    var content: [Markup?]
  }

  let results: ExperimentResults
  let names: ArmNames
  let tables: ReportTables

  package init(_ results: ExperimentResults) {
    self.results = results
    names = ArmNames(results.arms)
    tables = ReportTables(results: results, names: names)
  }

  /// The document; the same results give the same bytes.
  package var source: String {
    let sections = sections.filter { !$0.content.allSatisfy { $0 == nil } }
    let links =
      sections.map { ($0.identifier, $0.title) } + [("honesty", "What to keep in mind"), ("provenance", "Provenance")]
      + (definitions == nil ? [] : [("definitions", "Definitions")])
    let header = ReportHeader(
      kicker: kicker, header: results.header, budgets: tables.budgets, summary: summary, links: links)
    return HTMLPage(
      title: results.header.question,
      content: [header.markup]
        + sections.compactMap { HTMLPage.section($0.title, identifier: $0.identifier, $0.content) }
        + [honesty, ProvenanceSection(provenance: results.header.provenance).markup, definitions].compactMap { $0 }
    ).source
  }

  private var kicker: String {
    "Latency lab · \(results.scenario.name)" + (results.header.provenance.isSimulated ? " · simulated" : "")
  }

  private var summary: [NamedValue] {
    let runs = results.arms.map(\.runs.count)
    let kept = runs.min() == runs.max() ? "\(runs.max() ?? 0)" : "\(runs.min() ?? 0) to \(runs.max() ?? 0)"
    return [
      NamedValue("network", LinkText.short(results.scenario.link)),
      NamedValue("workload", results.scenario.workload),
      NamedValue("runs kept of each arm", kept),
    ]
  }

  private var sections: [Section] {
    [
      Section(
        identifier: "latency", title: "Latency",
        content: [
          DistributionFigure(results, names: names)?.markup(), PercentileFigure(results, names: names)?.markup(),
          tables.percentiles?.markup(), tables.gaps?.markup(), emptiness,
        ]),
      Section(
        identifier: "pairs", title: "Is the difference real?",
        content: [DifferenceFigure(results, names: names)?.markup()]
          + ComparisonTables(results: results, names: names).tables.map { $0.markup() } + [pairing]),
      Section(
        identifier: "waiting", title: "Stalls and recovery",
        content: [
          tables.stalls?.markup(), tables.reading?.markup(), tables.late?.markup(), tables.recovery?.markup(),
        ]),
      Section(
        identifier: "start", title: "Time to first event",
        content: [tables.firstEvent?.markup()]),
      Section(
        identifier: "run", title: "Inside one run",
        content: [
          LatenessFigure(results, names: names)?.markup(), StaircaseFigure(results, names: names)?.markup(),
          LatestEvents(results).table(names: names)?.markup(), StallFigure(results, names: names)?.markup(),
          QueueFigure(results, names: names)?.markup(),
        ]),
      Section(
        identifier: "cost", title: "Cost",
        content: [CostFigure(results, names: names)?.markup(), tables.cost?.markup()]),
      Section(
        identifier: "beside", title: "Beside this experiment",
        content: [
          tables.companions?.markup(),
          results.companions.isEmpty
            ? nil : HTMLPage.list(results.companions.map { "\($0.scenario.name): \($0.verdict)" }),
        ]),
      Section(identifier: "setup", title: "Arms and network", content: [tables.arms.markup(), network]),
    ]
  }

  private var pairing: Markup? {
    guard !results.comparisons.isEmpty else { return nil }
    return .element(
      "p", ["class": "note"],
      """
      Runs with the same repetition are a pair. “No difference as large as” is a finding; “no difference shown” means \
      that these runs show neither a difference nor that there is none.
      """)
  }

  /// A report without a single kept run says so, instead of being silent.
  private var emptiness: Markup? {
    guard results.arms.allSatisfy(\.runs.isEmpty) else { return nil }
    return .element("p", ["class": "bad"], "No run was kept, so there is nothing to show of the latency.")
  }

  private var network: Markup {
    let scenario = results.scenario
    var parts: [Markup] = [.element("h3", [:], "Network: \(scenario.name)")]
    if !scenario.about.isEmpty { parts.append(.element("p", [:], Markup(text: scenario.about))) }
    if scenario.link.toClient == scenario.link.toServer {
      parts.append(.element("h3", [:], "In each direction"))
      parts.append(HTMLPage.values(LinkText.stages(scenario.link.toClient)))
    } else {
      parts.append(.element("h3", [:], "Toward the client"))
      parts.append(HTMLPage.values(LinkText.stages(scenario.link.toClient)))
      parts.append(.element("h3", [:], "Toward the server"))
      parts.append(HTMLPage.values(LinkText.stages(scenario.link.toServer)))
    }
    if let rebinding = scenario.link.rebinding {
      parts.append(.element("p", [:], Markup(text: LinkText.rebinding(rebinding) + ".")))
    }
    if !scenario.source.isEmpty {
      parts.append(.element("p", ["class": "note"], Markup(text: "Source of the numbers: \(scenario.source)")))
    }
    return .joined(parts)
  }

  /// Always there: what a reader must know before believing the numbers.
  private var honesty: Markup {
    var parts: [Markup] = [.element("h2", ["id": "honesty"], "What to keep in mind")]
    parts.append(HTMLPage.list(ReportRemarks.sentences(results)))
    for part in [
      LossFigure(results, names: names)?.markup(), tables.loss?.markup(), tables.failures?.markup(),
      tables.discarded?.markup(),
    ] {
      if let part { parts.append(part) }
    }
    return .element("section", ["class": "honesty"], parts)
  }

  private var definitions: Markup? {
    let shown = Set(results.arms.flatMap { $0.summary.map(\.metric) })
    let metrics = Metric.allCases.filter { shown.contains($0) }
    guard !metrics.isEmpty else { return nil }
    return HTMLPage.section(
      "Definitions", identifier: "definitions", [DefinitionList(metrics: metrics).markup])
  }
}
