extension ResultsComparison {
  /// A table for a terminal; columns are aligned by characters.
  package var text: String {
    var lines = [
      "first:  \(first.scenario), \(first.started)", "second: \(second.scenario), \(second.started)",
    ]
    lines += warnings.map { "warning: \($0)" }
    if !armsInOneAlone.isEmpty { lines.append("only in one of the two: \(armsInOneAlone.joined(separator: ", "))") }
    guard !rows.isEmpty else { return (lines + ["nothing that both have", ""]).joined(separator: "\n") }
    let heads = ["arm", "metric", "first [95 %]", "second [95 %]", "second / first", "intervals"]
    let cells = rows.map { row in
      [
        row.arm, row.metric.label, Self.cell(row.first), Self.cell(row.second), row.ratio.map(Metric.number) ?? "-",
        row.secondIsBetter.map { $0 ? "apart: second better" : "apart: second worse" }
          ?? (row.first.hasInterval && row.second.hasInterval ? "overlap" : "too few runs"),
      ]
    }
    let widths = heads.indices.map { column in ([heads] + cells).map { $0[column].count }.max() ?? 0 }
    for row in [heads] + cells {
      let padded = row.indices.map { column in
        row[column] + String(repeating: " ", count: widths[column] - row[column].count)
      }
      var line = padded.joined(separator: "  ")
      while line.last == " " { line.removeLast() }
      lines.append(line)
    }
    return (lines + [""]).joined(separator: "\n")
  }

  private static func cell(_ summary: MetricSummary) -> String {
    "\(summary.metric.text(summary.median)) \(summary.hasInterval ? "" : "range ")[\(Metric.number(summary.ends.low)), "
      + "\(Metric.number(summary.ends.high))]"
  }
}
