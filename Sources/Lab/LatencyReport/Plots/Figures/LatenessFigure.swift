/// Every event of one run at its scheduled time, drawn as high as it was late, below the link's drops.
struct LatenessFigure: Figure {
  private let shared: TimelinePanels
  private let dots: LatenessDots

  let identifier = "lateness"
  let title = "One run, event by event."

  init?(_ results: ExperimentResults, names: ArmNames) {
    guard let shared = TimelinePanels(results, names: names) else { return nil }
    self.shared = shared
    dots = LatenessDots(shared, noiseFloorMilliseconds: results.noiseFloorMilliseconds)
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
      TimelinePanels.dropEntries + [dots.floorEntry], size: size)
    let height = size.choose(wide: 120.0, narrow: 96.0)
    let above = size.lineHeight * 3.3 + 2 * TimelinePanels.laneHeight
    let panelHeight = above + height + size.fontSize * 2.6
    var drawing = SVGDrawing(
      size, height: legend.height + Double(shared.panels.count) * panelHeight + size.fontSize * 1.7)
    legend.draw(in: &drawing)
    for (index, panel) in shared.panels.enumerated() {
      let top = legend.height + Double(index) * panelHeight
      let y = dots.scale(start: top + above + height, end: top + above)
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
      dots.draw(panel, in: frame, on: &drawing)
    }
    return drawing
  }

  private func detail(_ panel: TimelinePanels.Panel) -> String {
    let latest = panel.timeline.events.compactMap(shared.excess).max() ?? 0
    return "latest \(NumberText.plain(latest)) ms"
  }
}
