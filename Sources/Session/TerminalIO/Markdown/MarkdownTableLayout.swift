/// A table as lines: in columns where it fits, else one line for each cell.
struct MarkdownTableLayout {
  let lines: [[StyledCharacter]]

  init(_ table: MarkdownTable, width: Int) {
    let header = table.header.map { Self.cell($0, style: .bold) }
    let rows = table.rows.map { $0.map { Self.cell($0, style: []) } }
    let widths = table.alignments.indices.map { column in
      ([header] + rows).map { column < $0.count ? Self.cells($0[column]) : 0 }.max() ?? 0
    }
    let total = widths.reduce(0, +) + 3 * max(0, widths.count - 1)
    guard total > width else {
      let rule = widths.map { String(repeating: "─", count: $0) }.joined(separator: "─┼─")
      let head = [Self.row(header, widths, table.alignments), rule.map { StyledCharacter($0, .dim) }]
      lines = head + rows.map { Self.row($0, widths, table.alignments) }
      return
    }
    var lines: [[StyledCharacter]] = []
    for row in rows {
      if !lines.isEmpty { lines.append([]) }
      for (name, cell) in zip(header, row) {
        lines.append(name + [StyledCharacter(":"), StyledCharacter(" ")] + cell)
      }
    }
    self.lines = lines
  }

  private static func cell(_ inlines: [MarkdownInline], style: TextStyle) -> [StyledCharacter] {
    MarkdownLayout.characters(of: .paragraph(inlines), width: Int.max / 2).map {
      // A line break in a cell is a space.
      StyledCharacter($0.character == "\n" ? " " : $0.character, $0.style.union(style))
    }
  }

  private static func cells(_ text: [StyledCharacter]) -> Int { TerminalWidth.cells(text.map(\.character)) }

  private static func row(
    _ cells: [[StyledCharacter]], _ widths: [Int], _ alignments: [MarkdownTable.Alignment]
  ) -> [StyledCharacter] {
    var line: [StyledCharacter] = []
    for (column, cell) in cells.enumerated() {
      if column > 0 { line += " │ ".map { StyledCharacter($0, .dim) } }
      let room = widths[column] - Self.cells(cell)
      let before =
        switch alignments[column] {
        case .leading: 0
        case .centre: room / 2
        case .trailing: room
        }
      line += Self.spaces(before) + cell
      // Spaces at a line's end would only be copied along.
      if column < cells.count - 1 { line += Self.spaces(room - before) }
    }
    return line
  }

  private static func spaces(_ count: Int) -> [StyledCharacter] {
    Array(repeating: StyledCharacter(" "), count: max(0, count))
  }
}
