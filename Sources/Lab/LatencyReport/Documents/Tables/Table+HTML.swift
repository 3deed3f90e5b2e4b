extension Table {
  /// The table in a frame of its own that scrolls sideways where the page is narrow.
  func markup() -> Markup {
    let head = columns.map { column in
      Markup.element(
        "th", ["scope": "col", "class": column.isNumber ? "n" : "t"],
        [Markup(text: column.heading)]
          + (column.unit.isEmpty ? [] : [.element("span", ["class": "u"], Markup(text: " " + column.unit))]))
    }
    let body = rows.map { row in
      Markup.element(
        "tr", [:], zip(columns.indices, row).map { markup($0.1, column: columns[$0.0], isFirst: $0.0 == 0) })
    }
    let table = Markup.element(
      "table", ["aria-label": title], .element("thead", [:], .element("tr", [:], head)),
      .element("tbody", [:], body))
    let frame = Markup.element(
      "div", ["class": "scroll", "tabindex": "0", "role": "region", "aria-label": title], table)
    let heading = Markup.element("h3", ["class": "cap"], Markup(text: title))
    return .joined(
      [heading, frame] + (note.map { [.element("p", ["class": "note"], Markup(text: ProseText.bound($0)))] } ?? []))
  }

  private func markup(_ cell: Cell, column: Column, isFirst: Bool) -> Markup {
    var parts: [Markup] = []
    if let style = cell.style { parts.append(style.sample()) }
    parts.append(Markup(text: cell.text))
    if let detail = cell.detail {
      parts.append(" ")
      parts.append(.element("span", ["class": "ci"], Markup(text: detail)))
    }
    let classes =
      (column.isNumber ? "n" : column.isWide ? "t w" : "t")
      + (cell.emphasis == .none ? "" : " " + cell.emphasis.rawValue)
    return isFirst
      ? .element("th", ["scope": "row", "class": classes], parts) : .element("td", ["class": classes], parts)
  }
}

extension SeriesStyle {
  /// The arm's mark at the size of a letter; for sighted readers only, the name stands beside it.
  func sample() -> Markup {
    .element(
      "svg", ["class": "sample", "viewBox": "0 0 26 12", "aria-hidden": "true"],
      {
        var line = PathData()
        line.move(0, 6)
        line.line(26, 6)
        let attributes: KeyValuePairs<String, String> =
          dashes.map { ["class": "ln \(colourClass)", "stroke-dasharray": $0, "d": line.text] }
          ?? ["class": "ln \(colourClass)", "d": line.text]
        return [
          Markup.element("path", attributes),
          .element("path", ["class": "mk \(colourClass)", "d": markerPath(13, 6, radius: 4).text]),
        ]
      }())
  }
}
