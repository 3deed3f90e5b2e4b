/// The time around the latest event of each arm: how many events of its stream were due, and how many had come.
struct StaircaseFigure: Figure {
  private struct Window {
    var panel: TimelinePanels.Panel
    var stream: Int
    var events: [PlotData.TimelineEvent]
    var from: Double
    var to: Double
  }

  private let shared: TimelinePanels
  private let windows: [Window]

  let identifier = "staircase"
  let title = "Around the latest event."

  var caption: String {
    """
    One stream of each arm in the time around the event that came latest. The upper step is what the schedule promised \
    (with the link's own delay), the lower what had arrived: the shaded area between them is waiting.
    """
  }

  init?(_ results: ExperimentResults, names: ArmNames) {
    guard let shared = TimelinePanels(results, names: names) else { return nil }
    self.shared = shared
    let worst = shared.panels.compactMap { Self.worst(of: $0, shared)?.excess }.max() ?? 0
    let length = min(max(200, worst * 5), max(shared.end - shared.start, 1))
    windows = shared.panels.map { panel in
      let worst = Self.worst(of: panel, shared)
      let middle = worst.map { $0.due + $0.excess / 2 } ?? length / 2
      let from = max(shared.start, min(middle - length / 2, shared.end - length))
      let stream = worst?.stream ?? panel.timeline.events[0].stream
      let events = panel.timeline.events.filter { $0.stream == stream && $0.scheduled.isFinite }
        .sorted { $0.scheduled < $1.scheduled }
      return Window(panel: panel, stream: stream, events: events, from: from, to: from + length)
    }
  }

  private static func worst(
    of panel: TimelinePanels.Panel, _ shared: TimelinePanels
  ) -> (stream: Int, due: Double, excess: Double)? {
    let late = panel.timeline.events.compactMap { event in
      shared.excess(event).map { (stream: event.stream, due: event.scheduled, excess: $0) }
    }
    return late.max { $0.excess < $1.excess }
  }

  var description: String {
    windows.map { window in
      "\(window.panel.label), stream \(window.stream), from \(NumberText.plain(window.from / 1_000)) to "
        + "\(NumberText.plain(window.to / 1_000)) s: latest event "
        + "\(NumberText.plain(window.events.compactMap(shared.excess).max() ?? 0)) ms late."
    }.joined(separator: " ")
  }

  func drawing(_ size: PlotSize) -> SVGDrawing {
    let legend = Legend(
      [
        Legend.Entry(sample: .plainLine("due", dashes: nil), text: "scheduled"),
        Legend.Entry(sample: .plainLine("ln ink", dashes: nil), text: "received"),
        Legend.Entry(sample: .swatch("wait ink"), text: "waiting"),
      ] + TimelinePanels.dropEntries, size: size)
    let height = size.choose(wide: 150.0, narrow: 120.0)
    let above = size.lineHeight * 3.3 + 2 * TimelinePanels.laneHeight
    let panelHeight = above + height + size.fontSize * 2.6
    var drawing = SVGDrawing(size, height: legend.height + Double(windows.count) * panelHeight + size.fontSize * 1.7)
    legend.draw(in: &drawing)
    for (index, window) in windows.enumerated() {
      let top = legend.height + Double(index) * panelHeight
      draw(
        window, top: top, above: above, height: height, isLast: index == windows.count - 1, on: &drawing)
    }
    return drawing
  }

  private func draw(
    _ window: Window, top: Double, above: Double, height: Double, isLast: Bool, on drawing: inout SVGDrawing
  ) {
    let size = drawing.size
    let delay = shared.oneWayDelayMilliseconds
    let due = window.events.map { $0.scheduled + delay }
    let came = window.events.compactMap(\.received).filter(\.isFinite).sorted()
    let inWindow = { (time: Double) in time >= window.from && time <= window.to }
    let before = min(due.count { $0 < window.from }, came.count { $0 < window.from })
    let after = max(due.count { $0 <= window.to }, came.count { $0 <= window.to }, before + 1)
    let y = Scale(.linear, from: Double(before), to: Double(after), start: top + above + height, end: top + above)
    let left = max(PlotFrame.labelWidth(y, count: 4, size: size), 26)
    let x = Scale(.linear, from: window.from / 1_000, to: window.to / 1_000, start: left, end: size.width - 12)
    let frame = PlotFrame(x: x, y: y)
    let latest = window.events.compactMap(shared.excess).max() ?? 0
    let detail = "stream \(window.stream), latest \(NumberText.plain(latest)) ms"
    shared.drawHeading(window.panel, detail: detail, at: top + size.lineHeight, on: &drawing)
    shared.drawDrops(
      of: window.panel, in: frame, from: window.from, to: window.to, at: top + size.lineHeight * 1.5, on: &drawing)
    frame.drawVerticalAxis(in: &drawing, name: "events of this stream", count: 4)
    frame.drawHorizontalAxis(in: &drawing, name: isLast ? "time (s)" : nil)
    let dueSteps = steps(due.filter(inWindow), from: due.count { $0 < window.from }, window: window)
    let cameSteps = steps(came.filter(inWindow), from: came.count { $0 < window.from }, window: window)
    var area = path(dueSteps, in: frame)
    for point in outline(cameSteps).reversed() {
      area.line(frame.x.position(point.0 / 1_000), frame.y.position(point.1))
    }
    area.close()
    let colour = window.panel.style.colourClass
    drawing.path(area, "wait \(colour)")
    drawing.path(path(dueSteps, in: frame), "due")
    drawing.path(path(cameSteps, in: frame), "ln \(colour)")
  }

  /// The corners of a staircase: its height from each time on, from the window's first moment to its last.
  private func steps(_ times: [Double], from before: Int, window: Window) -> [(Double, Double)] {
    var steps = [(window.from, Double(before))]
    for (index, time) in times.enumerated() { steps.append((time, Double(before + index + 1))) }
    steps.append((window.to, Double(before + times.count)))
    return steps
  }

  private func outline(_ steps: [(Double, Double)]) -> [(Double, Double)] {
    zip(steps, steps.dropFirst()).flatMap { [$0, ($1.0, $0.1)] } + steps.suffix(1)
  }

  private func path(_ steps: [(Double, Double)], in frame: PlotFrame) -> PathData {
    var path = PathData()
    for point in outline(steps) { path.line(frame.x.position(point.0 / 1_000), frame.y.position(point.1)) }
    return path
  }
}
