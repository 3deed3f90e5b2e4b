/// Arms down, metrics across: the median of an arm's runs with its interval.
struct MetricTable {
  var title: String
  var metrics: [Metric]
  /// Columns that only some experiments have are left out where no arm has a value.
  var keepsEmptyColumns = false
  var note: String?

  /// Nil where no arm has a value.
  func table(_ arms: [ArmResults], names: ArmNames) -> Table? {
    let values = arms.map { arm in Dictionary(arm.summary.map { ($0.metric, $0) }) { first, _ in first } }
    let shown = metrics.filter { metric in keepsEmptyColumns || values.contains { $0[metric] != nil } }
    guard values.contains(where: { row in shown.contains { row[$0] != nil } }) else { return nil }
    let decimals = shown.map { metric in
      NumberText.decimals(
        for: values.flatMap { row in row[metric].map { [$0.median, $0.ends.low, $0.ends.high] } ?? [] })
    }
    return Table(
      title: title,
      columns: [Table.Column("arm")]
        + shown.map { Table.Column(MetricText.heading($0), unit: $0.unit.rawValue, isNumber: true) },
      rows: zip(arms, values).map { arm, row in
        [Table.Cell(names.label(arm.name), style: names.style(arm.name))]
          + zip(shown, decimals).map { metric, decimals in
            row[metric].map { Self.cell($0, decimals: decimals, of: arm) } ?? Self.missing(metric, of: arm)
          }
      }, note: Self.note(note, arms: arms, metrics: shown))
  }

  /// The note, with the meaning of the marks where a cell has one.
  static func note(_ note: String?, arms: [ArmResults], metrics: [Metric]) -> String? {
    let isMarked = arms.contains { arm in metrics.contains { arm.lowerBounds($0) > 0 } }
    let parts = [note, isMarked ? LowerBoundText.note : nil].compactMap { $0 }
    return parts.isEmpty ? nil : parts.joined(separator: " ")
  }

  /// - Parameter arm: the arm whose runs decide whether the number is a lower bound; nil if only a summary is known.
  static func cell(_ summary: MetricSummary, decimals: Int, of arm: ArmResults? = nil) -> Table.Cell {
    let low = NumberText.fixed(summary.ends.low, decimals: decimals)
    let high = NumberText.fixed(summary.ends.high, decimals: decimals)
    let text = NumberText.fixed(summary.median, decimals: decimals)
    // A number that is the same in every run says so once.
    let interval = low == text && high == text ? nil : "[\(low), \(high)]"
    let few = summary.hasInterval || interval == nil ? nil : "(range of \(DifferenceText.count(summary.runs, "run")))"
    let details = [interval, few, arm.flatMap { LowerBoundText.detail($0, summary.metric) }].compactMap { $0 }
    return Table.Cell(
      (arm?.hasLowerBoundMedian(summary.metric) == true ? "≥ " : "") + text,
      detail: details.isEmpty ? nil : details.joined(separator: " "))
  }

  /// "Not supported" where the arm's notes say so: what is not there yet must not look like a forgotten measurement.
  private static func missing(_ metric: Metric, of arm: ArmResults) -> Table.Cell {
    let words: [String] =
      switch metric {
      case .firstEventZeroRTT: ["0-rtt", "early data"]
      case .firstEventResumed: ["resum"]
      default: []
      }
    let isUnsupported = arm.notes.contains { note in
      let note = note.lowercased()
      return note.contains("not supported") && words.contains { note.contains($0) }
    }
    return isUnsupported ? Table.Cell("not supported", emphasis: .quiet) : Table.notMeasured
  }
}
