extension Table {
  /// The table in GitHub's and CommonMark's form, under its title in bold.
  func markdown() -> String {
    var lines = ["**\(MarkdownText.escaped(title))**", ""]
    lines.append(
      line(
        columns.map { MarkdownText.cell($0.heading + ($0.unit.isEmpty ? "" : " (\($0.unit))")) }))
    lines.append(line(columns.map { $0.isNumber ? "---:" : "---" }))
    for row in rows {
      lines.append(line(row.map { MarkdownText.cell($0.text + ($0.detail.map { " " + $0 } ?? "")) }))
    }
    if let note { lines += ["", MarkdownText.escaped(note)] }
    return lines.joined(separator: "\n")
  }

  private func line(_ cells: [String]) -> String {
    "| " + cells.joined(separator: " | ") + " |"
  }
}
