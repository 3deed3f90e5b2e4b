import LinkModel

/// The tables that say how far the runs themselves can be believed.
extension ReportTables {
  var loss: Table? {
    let rows = results.arms.flatMap { arm in
      arm.realisedLoss.map { loss in
        [
          Table.Cell(names.label(arm.name), style: names.style(arm.name)),
          Table.Cell(LinkText.direction(loss.direction)),
          Table.Cell(NumberText.fixed(Double(loss.packets), decimals: 0)),
          loss.configuredPercent.map { Table.Cell(NumberText.shortest($0)) } ?? Table.Cell("varies", emphasis: .quiet),
          loss.realisedPercent.map {
            Table.Cell(
              NumberText.fixed($0, decimals: 2),
              detail:
                interval(loss)
            )
          } ?? Table.notMeasured,
          asConfigured(loss), Table.Cell(drops(loss)),
        ]
      }
    }
    guard !rows.isEmpty else { return nil }
    return Table(
      title: "Realised loss against the configured",
      columns: [
        Table.Column("arm"), Table.Column("direction"), Table.Column("packets", isNumber: true),
        Table.Column("configured", unit: "%", isNumber: true),
        Table.Column("realised [99 % interval]", unit: "%", isNumber: true), Table.Column("as configured"),
        Table.Column("all drops by cause", isWide: true),
      ], rows: rows)
  }

  private func interval(_ loss: RealisedLoss) -> String {
    let ends = [loss.lowPercent, loss.highPercent].map { NumberText.fixed($0, decimals: 2) }
    return "[\(ends[0]), \(ends[1])]"
  }

  private func asConfigured(_ loss: RealisedLoss) -> Table.Cell {
    switch loss.isAsConfigured {
    case true?: Table.Cell("✓ yes", emphasis: .good)
    case false?: Table.Cell("✗ no", emphasis: .bad)
    case nil: Table.notMeasured
    }
  }

  private func drops(_ loss: RealisedLoss) -> String {
    let drops = loss.drops.filter { $0.value > 0 }.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    return drops.isEmpty ? "none" : drops.map { "\(CauseText.name($0.key)) \($0.value)" }.joined(separator: ", ")
  }

  var discarded: Table? {
    guard !results.discarded.isEmpty else { return nil }
    return Table(
      title: "Discarded runs",
      columns: [
        Table.Column("arm"), Table.Column("repetition", isNumber: true), Table.Column("reason"),
        Table.Column(
          results.rules.stated == .beforeRuns ? "rule, stated before the runs" : "rule, stated after the runs",
          isWide: true),
      ],
      rows: results.discarded.map { run in
        [
          Table.Cell(names.label(run.arm), style: names.style(run.arm)),
          Table.Cell(run.repetition < 0 ? "warm-up" : "\(run.repetition)"), Table.Cell(run.reason.label),
          Table.Cell(run.rule),
        ]
      })
  }

  /// Runs that were kept although the client says that they are not whole.
  var failures: Table? {
    let rows = results.arms.flatMap { arm in
      arm.runs.compactMap { run in
        run.failure.map {
          [
            Table.Cell(names.label(arm.name), style: names.style(arm.name)), Table.Cell("\(run.repetition)"),
            Table.Cell($0),
          ]
        }
      }
    }
    guard !rows.isEmpty else { return nil }
    return Table(
      title: "Runs that are not whole",
      columns: [
        Table.Column("arm"), Table.Column("repetition", isNumber: true),
        Table.Column("what the client said", isWide: true),
      ],
      rows: rows, note: "They are kept: their missing events count as late.")
  }

  var companions: Table? {
    guard !results.companions.isEmpty else { return nil }
    let metrics: [Metric] = [.excessP50, .excessP95, .excessP99]
    let rows = results.companions.flatMap { companion in
      companion.arms.map { arm in
        [
          Table.Cell("\(companion.scenario.name): \(companion.scenario.workload)"),
          Table.Cell(arm.server),
          Table.Cell(
            names.label(arm.name) == arm.name ? arm.label : names.label(arm.name), style: names.style(arm.name)),
        ]
          + metrics.map { metric in
            arm.summary.first { $0.metric == metric }.map {
              MetricTable.cell($0, decimals: NumberText.decimals(for: [$0.median, $0.ends.low, $0.ends.high]))
            } ?? Table.notMeasured
          }
      }
    }
    return Table(
      title: "Excess latency in the experiments beside this one",
      columns: [Table.Column("experiment"), Table.Column("server"), Table.Column("arm")]
        + metrics.map { Table.Column(MetricText.heading($0), unit: "ms", isNumber: true) }, rows: rows)
  }
}
