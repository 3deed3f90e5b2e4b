/// A ribbon for each stream, filled where its reader waited.
struct StallFigure: Figure {
  private let shared: TimelinePanels

  let identifier = "stalls"
  let title = "Stalls by stream."

  /// More streams than this are drawn by those that stalled longest.
  private static let streamLimit = 64

  init?(_ results: ExperimentResults, names: ArmNames) {
    guard let shared = TimelinePanels(results, names: names) else { return nil }
    self.shared = shared
  }

  var caption: String {
    """
    Each ribbon is one stream of the same run, filled from the moment its next event was overdue until it came. \
    Ribbons that fill at the same moment are streams that wait for one another.
    """
  }

  var description: String {
    shared.panels.map { panel in
      let total = panel.timeline.stalls.reduce(0) { $0 + max(0, $1.to - $1.from) }
      return "\(panel.label): \(panel.timeline.stalls.count) stalls, "
        + "\(NumberText.plain(total / 1_000)) stream seconds in all."
    }.joined(separator: " ")
  }

  func drawing(_ size: PlotSize) -> SVGDrawing {
    let streams = shared.panels.map(streams)
    let row = max(4.0, min(14, 170 / Double(streams.map(\.count).max() ?? 1)))
    let heading = size.lineHeight * 1.9
    let heights = streams.map { heading + Double($0.count) * row + 10 }
    let bottom = heights.reduce(0, +)
    var drawing = SVGDrawing(size, height: bottom + size.fontSize * 3.4)
    let x = Scale(.linear, from: shared.start / 1_000, to: shared.end / 1_000, start: 26, end: size.width - 12)
    let axis = PlotFrame(x: x, y: Scale(.linear, from: 0, to: 1, start: bottom, end: heading))
    axis.drawHorizontalAxis(in: &drawing, name: "time (s)", hasGrid: false)
    var top = 0.0
    for ((panel, streams), height) in zip(zip(shared.panels, streams), heights) {
      drawing.rectangle(0, top, width: size.width, height: heading - 3, "paper")
      shared.drawHeading(panel, detail: detail(panel), at: top + size.lineHeight * 1.3, on: &drawing)
      for (index, stream) in streams.enumerated() {
        let y = top + heading + Double(index) * row
        drawing.rectangle(axis.left, y + 1, width: axis.right - axis.left, height: row - 2, "ribbon")
        drawRibbon(panel, stream: stream, y: y, height: row, x: x, on: &drawing)
        if index == 0 || index == streams.count - 1 || (streams.count <= 8 && row > 11) {
          drawing.text("\(stream)", 20, y + row / 2 + size.fontSize * 0.35, "tk", anchor: .end)
        }
      }
      top += height
    }
    return drawing
  }

  private func streams(of panel: TimelinePanels.Panel) -> [Int] {
    let all = Set(panel.timeline.events.map(\.stream)).union(panel.timeline.stalls.map(\.stream))
    guard all.count > Self.streamLimit else { return all.sorted() }
    var waited: [Int: Double] = [:]
    for stall in panel.timeline.stalls { waited[stall.stream, default: 0] += stall.to - stall.from }
    return all.sorted { (waited[$0] ?? 0, -$0) > (waited[$1] ?? 0, -$1) }.prefix(Self.streamLimit).sorted()
  }

  private func detail(_ panel: TimelinePanels.Panel) -> String {
    let count = panel.timeline.stalls.count
    guard let longest = panel.timeline.stalls.map({ $0.to - $0.from }).max() else { return "no stall" }
    return "\(count) stall\(count == 1 ? "" : "s"), longest \(NumberText.plain(longest)) ms"
  }

  private func drawRibbon(
    _ panel: TimelinePanels.Panel, stream: Int, y: Double, height: Double, x: Scale, on drawing: inout SVGDrawing
  ) {
    var path = PathData()
    for stall in panel.timeline.stalls where stall.stream == stream {
      let from = x.position(stall.from / 1_000)
      // A stall that is shorter than a pixel is still one.
      let to = max(x.position(stall.to / 1_000), from + 1)
      path.move(from, y + 1)
      path.line(to, y + 1)
      path.line(to, y + height - 1)
      path.line(from, y + height - 1)
      path.close()
    }
    drawing.path(path, "fl \(panel.style.colourClass)")
  }
}
