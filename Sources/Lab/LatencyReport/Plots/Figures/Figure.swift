/// One figure of a report: drawn for a wide and for a narrow page, with a sentence for those who do not see it.
protocol Figure: Sendable {
  /// A part of the identifiers in the document, of letters and hyphens.
  var identifier: String { get }
  var title: String { get }
  /// The caption, which says how to read the figure.
  var caption: String { get }
  /// A description of the figure with its numbers.
  var description: String { get }
  func drawing(_ size: PlotSize) -> SVGDrawing
}

extension Figure {
  func markup() -> Markup {
    .element(
      "figure", ["id": identifier],
      [
        .element(
          "figcaption", [:], .element("strong", [:], Markup(text: title)), Markup(text: " " + ProseText.bound(caption)))
      ]
        + PlotSize.allCases.map {
          drawing($0).markup(identifier: "\(identifier)-\($0.rawValue)", title: title, description: description)
        })
  }
}
