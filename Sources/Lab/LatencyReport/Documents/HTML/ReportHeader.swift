/// The report's summary: question, verdict, what would change it, how to run it again.
struct ReportHeader {
  let kicker: String
  let header: Header
  var budgets: Table?
  let summary: [NamedValue]
  let links: [(identifier: String, title: String)]

  var markup: Markup {
    let provenance = header.provenance
    let facts =
      summary + [
        NamedValue("seed", "\(provenance.seed)"),
        NamedValue("when", provenance.started),
        NamedValue("machine", provenance.machine), NamedValue("kernel", provenance.kernel),
      ] + provenance.settings
    return .element(
      "header", [:],
      [
        .element("p", ["class": "kicker"], Markup(text: kicker)),
        .element("h1", [:], Markup(text: ProseText.bound(header.question))),
        .element(
          "div", ["class": "verdict"],
          .element("p", ["class": "v"], Markup(text: ProseText.bound(header.verdict))),
          .element(
            "p", ["class": "c"], .element("span", ["class": "label"], "What would change it: "),
            Markup(text: ProseText.bound(header.caveat)))
        ),
        budgets?.markup() ?? Markup(),
        HTMLPage.values(facts.filter { !$0.value.isEmpty }),
        .element("p", ["class": "note"], "Run it again:"), HTMLPage.command(provenance.rerunCommand),
        .element(
          "nav", ["aria-label": "Contents"],
          links.map {
            .element("a", ["href": "#" + $0.0], Markup(text: $0.1))
          }),
      ])
  }
}
