/// The places of a figure's panels: three beside each other on wide paper, one below another on narrow paper.
struct PanelGrid: Sendable {
  struct Place: Sendable {
    let left: Double
    let width: Double
    let top: Double
    let bottom: Double
  }

  /// For all panels in their order.
  let places: [Place]
  /// The height of all rows, with what stands below the last one's axis.
  let height: Double

  /// - Parameter top: where the first row's headings begin.
  init(_ count: Int, size: PlotSize, from top: Double) {
    let columns = max(min(size.choose(wide: 3, narrow: 1), count), 1)
    let panel = size.choose(wide: 190.0, narrow: 150.0)
    let heading = size.lineHeight * 2.7
    let row = heading + panel + size.fontSize * 3.2
    let width = (size.width - 8) / Double(columns)
    height = Double((count + columns - 1) / columns) * row
    places = (0..<count).map { index in
      let top = top + Double(index / columns) * row + heading
      return Place(
        left: Double(index % columns) * width, width: width - (columns > 1 ? 14 : 0), top: top, bottom: top + panel)
    }
  }
}
