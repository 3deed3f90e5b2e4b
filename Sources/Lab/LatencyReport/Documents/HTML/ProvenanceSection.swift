/// The full provenance of the numbers: enough to explain why another machine has others.
struct ProvenanceSection {
  let provenance: Provenance

  var markup: Markup {
    let facts = [
      NamedValue("started", provenance.started), NamedValue("finished", provenance.finished),
      NamedValue("machine", provenance.machine), NamedValue("kernel", provenance.kernel),
      NamedValue("seed", "\(provenance.seed)"),
      NamedValue(
        "load average, before and after",
        [provenance.loadBefore, provenance.loadAfter].map { NumberText.fixed($0, decimals: 2) }.joined(separator: ", ")
      ),
      NamedValue("calibration before the runs", NumberText.shortest(provenance.noiseFloorMilliseconds) + " ms"),
      NamedValue("time", provenance.isSimulated ? "virtual (simulated)" : "real"),
    ]
    return .element(
      "section", [:],
      [
        .element("h2", ["id": "provenance"], "Provenance"),
        HTMLPage.values(facts.filter { !$0.value.isEmpty }),
        group("Settings", provenance.settings), group("Versions", provenance.versions),
        calibration?.markup() ?? Markup(),
        .element("h3", [:], "Command line"), HTMLPage.command(ShellText.line(provenance.commandLine)),
      ])
  }

  private func group(_ title: String, _ values: [NamedValue]) -> Markup {
    guard !values.isEmpty else { return Markup() }
    return .joined([.element("h3", [:], Markup(text: title)), HTMLPage.values(values)])
  }

  private var calibration: Table? {
    guard !provenance.calibration.isEmpty else { return nil }
    return Table(
      title: "Calibration: what the emulator adds to the configured one-way delay",
      columns: [Table.Column("packets/s")]
        + ["p50", "p99", "p99.9"].map { Table.Column($0, unit: "µs", isNumber: true) },
      rows: provenance.calibration.map { point in
        [Table.Cell(NumberText.fixed(Double(point.packetsPerSecond), decimals: 0))]
          + [point.p50Microseconds, point.p99Microseconds, point.p999Microseconds].map {
            Table.Cell(NumberText.fixed($0, decimals: 0))
          }
      })
  }
}
