/// The queue before the link's rate and the delay of packets, over the time of one run.
struct QueueFigure: Figure {
  private enum Kind: CaseIterable {
    case queue, delay

    var axis: String {
      switch self {
      case .queue: "queue (kB)"
      case .delay: "one-way delay (ms)"
      }
    }

    func samples(_ timeline: PlotData.Timeline) -> [PlotData.TimelineSample] {
      switch self {
      case .queue: timeline.queue.map { PlotData.TimelineSample(at: $0.at, value: $0.value / 1_000) }
      case .delay: timeline.delay
      }
    }
  }

  private let shared: TimelinePanels

  let identifier = "queue"
  let title = "Queue and delay toward the client."

  init?(_ results: ExperimentResults, names: ArmNames) {
    guard let shared = TimelinePanels(results, names: names) else { return nil }
    guard shared.panels.contains(where: { !$0.timeline.queue.isEmpty || !$0.timeline.delay.isEmpty }) else {
      return nil
    }
    self.shared = shared
  }

  var caption: String {
    """
    The same run: bytes that waited before the link's rate, and the one-way delay that packets met, both from the \
    link's log.
    """
  }

  var description: String {
    shared.panels.map { panel in
      let queue = Kind.queue.samples(panel.timeline).map(\.value).max() ?? 0
      let delay = panel.timeline.delay.map(\.value).max() ?? 0
      return "\(panel.label): queue up to \(NumberText.plain(queue)) kB, delay up to \(NumberText.plain(delay)) ms."
    }.joined(separator: " ")
  }

  func drawing(_ size: PlotSize) -> SVGDrawing {
    let columns = size.choose(wide: 2, narrow: 1)
    let plot = size.choose(wide: 92.0, narrow: 74.0)
    let heading = size.lineHeight * 1.4
    let cell = size.lineHeight * 1.5 + plot + size.fontSize * 1.8
    let panelHeight = heading + cell * Double(Kind.allCases.count / columns) + 6
    var drawing = SVGDrawing(size, height: Double(shared.panels.count) * panelHeight + size.fontSize * 1.8)
    for (index, panel) in shared.panels.enumerated() {
      let top = Double(index) * panelHeight
      shared.drawHeading(panel, detail: "", at: top + size.lineHeight, on: &drawing)
      for (number, kind) in Kind.allCases.enumerated() {
        let column = Double(number % columns)
        let width = (size.width - 12) / Double(columns)
        let y = top + heading + Double(number / columns) * cell
        draw(
          panel, kind, left: column * width, width: width - (columns > 1 ? 16 : 0), top: y + size.lineHeight * 1.5,
          height: plot, isLast: index == shared.panels.count - 1 && number >= Kind.allCases.count - columns,
          on: &drawing)
      }
    }
    return drawing
  }

  private func draw(
    _ panel: TimelinePanels.Panel, _ kind: Kind, left: Double, width: Double, top: Double, height: Double,
    isLast: Bool, on drawing: inout SVGDrawing
  ) {
    let values = shared.panels.flatMap { kind.samples($0.timeline).map(\.value) }
    let y = Scale.round(values, count: 3, start: top + height, end: top).startingAtZero
    let labels = PlotFrame.labelWidth(y, count: 3, size: drawing.size)
    let frame = PlotFrame(
      x: Scale(
        .linear, from: shared.start / 1_000, to: shared.end / 1_000, start: left + labels, end: left + width), y: y)
    drawing.text(kind.axis, left, top - drawing.fontSize * 0.7, "ax")
    frame.drawVerticalAxis(in: &drawing, name: nil, count: 3)
    frame.drawHorizontalAxis(in: &drawing, name: isLast ? "time (s)" : nil, hasGrid: false)
    var path = PathData()
    for sample in kind.samples(panel.timeline) where sample.at.isFinite && sample.value.isFinite {
      path.step(frame.x.position(sample.at / 1_000), frame.y.position(sample.value))
    }
    drawing.path(path, "thin \(panel.style.colourClass)")
  }
}
