/// The grid as tables: a metric of every arm in every cell, and what the headline pair found there.
struct SweepTables {
  let grid: SweepGrid
  let names: ArmNames

  /// Loss down, arms across, one block of rows for each column of the grid.
  func table(_ metric: Metric) -> Table {
    let rows = cells.map { cell in
      [Table.Cell(cell.column.title), Table.Cell(NumberText.shortest(cell.loss))]
        + grid.arms.map { arm in
          cell.results.arms.first { $0.name == arm }.flatMap { number(metric, of: $0) } ?? Table.notMeasured
        } + [finding(metric, in: cell.results)]
    }
    return Table(
      title: MetricText.title(metric),
      columns: [Table.Column("link"), Table.Column("loss", unit: "%", isNumber: true)]
        + grid.arms.map { Table.Column(names.label($0), unit: metric.unit.rawValue, isNumber: true) }
        + [Table.Column("finding", isWide: true)], rows: rows,
      note: MetricTable.note(nil, arms: grid.experiments.flatMap(\.arms), metrics: [metric]))
  }

  private func number(_ metric: Metric, of arm: ArmResults) -> Table.Cell? {
    arm.summary.first { $0.metric == metric }.map {
      MetricTable.cell($0, decimals: NumberText.decimals(for: [$0.median, $0.ends.low, $0.ends.high]), of: arm)
    }
  }

  var verdicts: Table {
    Table(
      title: "Verdict of every cell",
      columns: [
        Table.Column("link"), Table.Column("loss", unit: "%", isNumber: true), Table.Column("verdict", isWide: true),
      ],
      rows: cells.map {
        [Table.Cell($0.column.title), Table.Cell(NumberText.shortest($0.loss)), Table.Cell($0.results.header.verdict)]
      })
  }

  /// The number of times that each finding was made in a metric, for the pair that each experiment puts first.
  func count(_ metric: Metric) -> String? {
    let found = cells.compactMap { headline(metric, in: $0.results) }
    guard let first = found.first else { return nil }
    let better = found.count { $0.judgement.finding == .armBetter }
    let worse = found.count { $0.judgement.finding == .baselineBetter }
    return
      "In \(metric.label), \(names.label(first.arm)) is better than \(names.label(first.baseline)) in \(better) of "
      + "\(found.count) cells and worse in \(worse); in \(found.count - better - worse) no "
      + "difference is shown, or none that can be judged."
  }

  private var cells: [(column: SweepGrid.Column, loss: Double, results: ExperimentResults)] {
    grid.columns.flatMap { column in
      grid.losses.compactMap { loss in
        grid.experiment(loss: loss, column: column).map { (column, loss, $0) }
      }
    }
  }

  private func headline(_ metric: Metric, in results: ExperimentResults) -> Comparison? {
    guard let first = results.comparisons.first else { return nil }
    return results.comparisons.first {
      $0.metric == metric && $0.baseline == first.baseline && $0.arm == first.arm
    }
  }

  private func finding(_ metric: Metric, in results: ExperimentResults) -> Table.Cell {
    guard let comparison = headline(metric, in: results) else { return Table.notMeasured }
    return Table.Cell(
      FindingText.sentence(comparison, names: names),
      emphasis: comparison.judgement.difference != nil ? .strong : .quiet)
  }
}
