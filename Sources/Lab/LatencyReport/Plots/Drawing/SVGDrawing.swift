/// An SVG picture in the making. Its colours are classes of the report's style sheet.
package struct SVGDrawing: Sendable {
  enum Anchor: String, Sendable {
    case start, middle, end
  }

  let size: PlotSize
  var height: Double
  private var body = Markup()

  init(_ size: PlotSize, height: Double) {
    self.size = size
    self.height = height
  }

  var width: Double { size.width }
  var fontSize: Double { size.fontSize }

  mutating func path(_ data: PathData, _ style: String, dashes: String? = nil, tip: String? = nil) {
    guard !data.isEmpty else { return }
    let children = tip.map { [Markup.element("title", [:], Markup(text: $0))] } ?? []
    if let dashes {
      body.append(.element("path", ["class": style, "stroke-dasharray": dashes, "d": data.text], children))
    } else {
      body.append(.element("path", ["class": style, "d": data.text], children))
    }
  }

  mutating func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ style: String) {
    var data = PathData()
    data.move(x1, y1)
    data.line(x2, y2)
    path(data, style)
  }

  mutating func rectangle(_ x: Double, _ y: Double, width: Double, height: Double, _ style: String) {
    body.append(
      .element(
        "rect",
        [
          "class": style, "x": Coordinate.text(x), "y": Coordinate.text(y), "width": Coordinate.text(max(0, width)),
          "height": Coordinate.text(max(0, height)),
        ]))
  }

  /// `y` is the base line.
  mutating func text(_ text: String, _ x: Double, _ y: Double, _ style: String, anchor: Anchor = .start) {
    body.append(
      .element(
        "text",
        ["class": style, "x": Coordinate.text(x), "y": Coordinate.text(y), "text-anchor": anchor.rawValue],
        Markup(text: text)))
  }

  mutating func marker(_ style: SeriesStyle, _ x: Double, _ y: Double, radius: Double = 3.6, tip: String? = nil) {
    path(style.markerPath(x, y, radius: radius), "mk \(style.colourClass)", tip: tip)
  }

  /// The picture as a file of its own, on light or dark paper as its reader prefers.
  func document(title: String, description: String) -> String {
    let margin = 16.0
    let (width, height) = (width + 2 * margin, height + 2 * margin)
    let area = [-margin, -margin, width, height].map { Coordinate.text($0) }
    return Markup.element(
      "svg",
      [
        "xmlns": "http://www.w3.org/2000/svg", "width": area[2], "height": area[3],
        "viewBox": area.joined(separator: " "), "role": "img", "class": "plot",
        "aria-labelledby": "picture-t picture-d",
        "font-size": Coordinate.text(fontSize),
      ],
      .element("title", ["id": "picture-t"], Markup(text: title)),
      .element("desc", ["id": "picture-d"], Markup(text: description)),
      .element("style", [:], .verbatim(StyleSheet.picture)),
      .element("rect", ["class": "paper", "x": area[0], "y": area[1], "width": area[2], "height": area[3]]), body
    ).source + "\n"
  }

  /// The picture; `identifier` must be the only one of its name in the document.
  func markup(identifier: String, title: String, description: String) -> Markup {
    .element(
      "svg",
      [
        "xmlns": "http://www.w3.org/2000/svg", "viewBox": "0 0 \(Coordinate.text(width)) \(Coordinate.text(height))",
        "role": "img", "class": "plot \(size.rawValue)", "aria-labelledby": "\(identifier)-t \(identifier)-d",
        "font-size": Coordinate.text(fontSize),
      ],
      .element("title", ["id": identifier + "-t"], Markup(text: title)),
      .element("desc", ["id": identifier + "-d"], Markup(text: description)), body)
  }
}
