import Foundation

/// Every event of one run at its scheduled time, drawn as high as it was late, below the link's drops.
struct LatenessFigure: Figure {
  private let shared: TimelinePanels
  private let noiseFloorMilliseconds: Double

  let identifier = "lateness"
  let title = "One run, event by event."

  /// More dots than this cannot be distinguished on a page.
  private static let dotLimit = 3_000

  init?(_ results: ExperimentResults, names: ArmNames) {
    guard let shared = TimelinePanels(results, names: names) else { return nil }
    self.shared = shared
    noiseFloorMilliseconds = results.noiseFloorMilliseconds
  }

  var caption: String {
    let repetitions = Set(shared.panels.map(\.timeline.repetition)).sorted().map(String.init)
    let leftOut =
      shared.panels.contains { $0.timeline.leftOut > 0 } ? " Some events that were on time are left out." : ""
    return """
      Repetition \(repetitions.joined(separator: ", ")) of each arm. Each event is a dot at its scheduled time, as high \
      as it was late; a cross at the top edge never came. The ticks above are packets the link dropped.\(leftOut)
      """
  }

  var description: String {
    shared.panels.map { panel in
      let excess = panel.timeline.events.compactMap(shared.excess)
      let missing = panel.timeline.events.count - excess.count
      return "\(panel.label): latest event \(NumberText.plain(excess.max() ?? 0)) ms late, \(missing) never came, "
        + "\(panel.timeline.drops.count) packets dropped."
    }.joined(separator: " ")
  }

  func drawing(_ size: PlotSize) -> SVGDrawing {
    let legend = Legend(
      TimelinePanels.dropEntries + [Legend.Entry(sample: .plainLine("nf", dashes: "3 3"), text: floorLabel)], size: size
    )
    let height = size.choose(wide: 120.0, narrow: 96.0)
    let above = size.lineHeight * 3.3 + 2 * TimelinePanels.laneHeight
    let panelHeight = above + height + size.fontSize * 2.6
    var drawing = SVGDrawing(
      size, height: legend.height + Double(shared.panels.count) * panelHeight + size.fontSize * 1.7)
    legend.draw(in: &drawing)
    let excess = shared.panels.flatMap { $0.timeline.events.compactMap(shared.excess) }
    for (index, panel) in shared.panels.enumerated() {
      let top = legend.height + Double(index) * panelHeight
      let y = verticalScale(excess, start: top + above + height, end: top + above)
      let left = max(PlotFrame.labelWidth(y, count: 4, size: size), 26)
      let x = Scale(.linear, from: shared.start / 1_000, to: shared.end / 1_000, start: left, end: size.width - 12)
      let frame = PlotFrame(x: x, y: y)
      shared.drawHeading(panel, detail: detail(panel), at: top + size.lineHeight, on: &drawing)
      shared.drawDrops(
        of: panel, in: frame, from: shared.start, to: shared.end, at: top + size.lineHeight * 1.5, on: &drawing)
      frame.drawVerticalAxis(in: &drawing, name: "excess latency (ms)", count: 4)
      let isLast = index == shared.panels.count - 1
      frame.drawHorizontalAxis(
        in: &drawing, name: isLast ? "scheduled time (s)" : nil, hasGrid: false)
      let floor = y.position(noiseFloorMilliseconds)
      drawing.line(frame.left, floor, frame.right, floor, "nf")
      draw(panel, in: frame, on: &drawing)
    }
    return drawing
  }

  private var floorLabel: String { "noise floor \(NumberText.shortest(noiseFloorMilliseconds)) ms" }

  private func detail(_ panel: TimelinePanels.Panel) -> String {
    let latest = panel.timeline.events.compactMap(shared.excess).max() ?? 0
    return "latest \(NumberText.plain(latest)) ms"
  }

  private func verticalScale(_ excess: [Double], start: Double, end: Double) -> Scale {
    let largest = excess.max() ?? 1
    guard largest > 5_000 else {
      return .round(excess, including: noiseFloorMilliseconds * 4, count: 4, start: start, end: end).startingAtZero
    }
    let top = pow(10, log10(largest).rounded(.up))
    return Scale(.logarithmic, from: 1, to: top, start: start, end: end)
  }

  private func draw(_ panel: TimelinePanels.Panel, in frame: PlotFrame, on drawing: inout SVGDrawing) {
    var dots = PathData()
    var crosses = PathData()
    var seen: Set<Int> = []
    let latestFirst = panel.timeline.events.sorted {
      (shared.excess($0) ?? .infinity) > (shared.excess($1) ?? .infinity)
    }
    for event in latestFirst where seen.count < Self.dotLimit {
      let x = frame.x.position(event.scheduled / 1_000)
      guard let excess = shared.excess(event) else {
        if seen.insert(Coordinate.tenths(x) / 30).inserted {
          crosses.move(x - 3, frame.top - 3)
          crosses.line(x + 3, frame.top + 3)
          crosses.move(x - 3, frame.top + 3)
          crosses.line(x + 3, frame.top - 3)
        }
        continue
      }
      let y = frame.y.position(excess)
      // Dots that would lie on one another are drawn once: half a pixel is not seen.
      guard seen.insert(Coordinate.tenths(x) / 10 * 100_000 + Coordinate.tenths(y) / 10).inserted else { continue }
      dots.dot(x, y)
    }
    drawing.path(dots, "dots \(panel.style.colourClass)")
    drawing.path(crosses, "cross")
  }
}
