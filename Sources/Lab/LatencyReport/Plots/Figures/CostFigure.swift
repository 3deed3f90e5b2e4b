/// What an event costs, beside how late it comes: a mark for each arm, a panel for each kind of cost.
struct CostFigure: Figure {
  private struct Point {
    var arm: String
    var cost: MetricSummary
    var lateness: MetricSummary
  }

  private struct Panel {
    var metric: Metric
    var points: [Point]
  }

  private static let tickCount = 4

  private let panels: [Panel]
  private let lateness: Metric
  private let names: ArmNames
  private let arms: [String]

  let identifier = "cost-lateness"
  let title = "Cost against lateness."

  /// Nil where fewer than two arms have both.
  init?(_ results: ExperimentResults, names: ArmNames) {
    let lateness = Metric.excessP95
    let metrics: [Metric] = [
      .packetsPerThousandEvents, .clientCPUPerThousandEvents, .serverCPUPerThousandEvents,
    ]
    panels = metrics.compactMap { metric in
      let points = results.arms.compactMap { arm -> Point? in
        guard let cost = arm.summary.first(where: { $0.metric == metric && $0.median.isFinite }),
          let late = arm.summary.first(where: { $0.metric == lateness && $0.median.isFinite })
        else { return nil }
        return Point(arm: arm.name, cost: cost, lateness: late)
      }
      return points.count < 2 ? nil : Panel(metric: metric, points: points)
    }
    guard !panels.isEmpty else { return nil }
    self.lateness = lateness
    self.names = names
    let drawn = Set(panels.flatMap { $0.points.map(\.arm) })
    arms = results.arms.map(\.name).filter(drawn.contains)
  }

  var caption: String {
    """
    Each mark is an arm's median over its runs, with bars for the 95 % interval of either median, or the range of too few \
    runs. Further left is cheaper, and further down is earlier. Packets are those of both directions, and processor time is the \
    whole process's.
    """
  }

  var description: String {
    panels.map { panel in
      MetricText.title(panel.metric) + ": "
        + panel.points.map {
          "\(names.label($0.arm)) \(panel.metric.text($0.cost.median)) at \(lateness.text($0.lateness.median))"
        }.joined(separator: ", ") + "."
    }.joined(separator: " ")
  }

  func drawing(_ size: PlotSize) -> SVGDrawing {
    let legend = Legend(
      arms.map { Legend.Entry(sample: .marker(names.style($0)), text: names.label($0)) }, size: size)
    let grid = PanelGrid(panels.count, size: size, from: legend.height)
    var drawing = SVGDrawing(size, height: legend.height + grid.height)
    legend.draw(in: &drawing)
    let latenesses = panels.flatMap { $0.points.flatMap { Self.values($0.lateness) } }
    for (panel, place) in zip(panels, grid.places) {
      let y = Scale.round(latenesses, count: Self.tickCount, start: place.bottom, end: place.top).startingAtZero
      let labels = PlotFrame.labelWidth(y, count: Self.tickCount, size: size)
      let x = Scale.round(
        panel.points.flatMap { Self.values($0.cost) }, count: Self.tickCount, start: place.left + labels + 10,
        end: place.left + place.width - 10
      ).startingAtZero
      draw(panel, in: PlotFrame(x: x, y: y), at: place, on: &drawing)
    }
    return drawing
  }

  private func draw(
    _ panel: Panel, in frame: PlotFrame, at place: PanelGrid.Place, on drawing: inout SVGDrawing
  ) {
    let size = drawing.size
    drawing.text(
      TextWidth.fitted(MetricText.heading(panel.metric), fontSize: size.fontSize * 1.08, into: place.width),
      place.left,
      frame.top - size.lineHeight * 1.6, "pt")
    drawing.text("p95 (ms)", place.left, frame.top - size.fontSize * 0.7, "ax")
    frame.drawVerticalAxis(in: &drawing, name: nil, count: Self.tickCount)
    let unit = panel.metric.unit.rawValue
    frame.drawHorizontalAxis(
      in: &drawing, name: "per 1 000 events" + (unit.isEmpty ? "" : " (\(unit))"), hasGrid: false)
    for point in panel.points {
      let style = names.style(point.arm)
      let (x, y) = (frame.x.position(point.cost.median), frame.y.position(point.lateness.median))
      let (across, up) = (point.cost.ends, point.lateness.ends)
      drawing.line(frame.x.position(across.low), y, frame.x.position(across.high), y, "thin \(style.colourClass)")
      drawing.line(x, frame.y.position(up.low), x, frame.y.position(up.high), "thin \(style.colourClass)")
      drawing.marker(
        style, x, y, radius: 4.4,
        tip: "\(names.label(point.arm)): \(panel.metric.text(point.cost.median)), "
          + "\(lateness.text(point.lateness.median))")
    }
  }

  private static func values(_ summary: MetricSummary) -> [Double] {
    [summary.median, summary.ends.low, summary.ends.high].filter(\.isFinite)
  }
}
