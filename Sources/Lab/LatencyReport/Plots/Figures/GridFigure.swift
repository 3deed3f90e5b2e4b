/// One metric over loss, a panel for each round-trip time: where the arms part and by how much.
struct GridFigure: Figure {
  private struct Point {
    var loss: Double
    var summary: MetricSummary
  }

  private struct Panel {
    var title: String
    var series: [(arm: String, points: [Point])]
  }

  private let metric: Metric
  private let panels: [Panel]
  private let losses: [Double]
  private let names: ArmNames
  private let arms: [String]

  var identifier: String { "grid-\(metric.rawValue)" }
  var title: String { MetricText.title(metric) + ", over loss." }

  var caption: String {
    "Median over runs with its 95 % interval, or the range of too few runs; one panel for each link, "
      + (sharesAxis ? "all with the same vertical axis." : "each with a vertical axis of its own.")
  }

  /// Nil where no experiment has the metric.
  init?(_ grid: SweepGrid, metric: Metric, names: ArmNames) {
    let panels: [Panel] = grid.columns.compactMap { column in
      let series = grid.arms.compactMap { arm -> (arm: String, points: [Point])? in
        let points = grid.losses.compactMap { loss -> Point? in
          guard let experiment = grid.experiment(loss: loss, column: column) else { return nil }
          let summary = experiment.arms.first { $0.name == arm }?.summary.first { $0.metric == metric }
          return summary.flatMap { $0.median.isFinite ? Point(loss: loss, summary: $0) : nil }
        }
        return points.isEmpty ? nil : (arm, points)
      }
      return series.isEmpty ? nil : Panel(title: column.title, series: series)
    }
    guard !panels.isEmpty else { return nil }
    self.panels = panels
    self.metric = metric
    self.names = names
    losses = grid.losses
    arms = grid.arms.filter { arm in panels.contains { $0.series.contains { $0.arm == arm } } }
  }

  var description: String {
    panels.map { panel in
      panel.title + ": "
        + panel.series.map { series in
          names.label(series.arm) + " "
            + series.points.map {
              "\(NumberText.plain($0.summary.median)) at \(NumberText.shortest($0.loss)) %"
            }.joined(separator: ", ")
        }.joined(separator: "; ") + "."
    }.joined(separator: " ")
  }

  func drawing(_ size: PlotSize) -> SVGDrawing {
    let legend = Legend(arms.map { Legend.Entry(sample: .line(names.style($0)), text: names.label($0)) }, size: size)
    let grid = PanelGrid(panels.count, size: size, from: legend.height)
    var drawing = SVGDrawing(size, height: legend.height + grid.height)
    legend.draw(in: &drawing)
    for (panel, place) in zip(panels, grid.places) { draw(panel, at: place, on: &drawing) }
    return drawing
  }

  private func highest(_ panel: Panel) -> Double {
    panel.series.flatMap { $0.points.flatMap { [$0.summary.median, $0.summary.ends.high] } }.filter(\.isFinite).max()
      ?? 0
  }

  /// One axis for all where the smallest panel can still be read on it.
  private var sharesAxis: Bool {
    let highest = panels.map(highest)
    return (highest.max() ?? 0) <= 4 * (highest.min() ?? 0)
  }

  private func draw(_ panel: Panel, at place: PanelGrid.Place, on drawing: inout SVGDrawing) {
    let size = drawing.size
    let (left, width, top) = (place.left, place.width, place.top)
    let y = Scale.round(sharesAxis ? panels.map(highest) : [highest(panel)], count: 4, start: place.bottom, end: top)
      .startingAtZero
    let labels = PlotFrame.labelWidth(y, count: 4, size: size)
    let x = Scale(
      .linear, from: min(losses.first ?? 0, 0), to: max(losses.last ?? 1, 0.001), start: left + labels + 10,
      end: left + width - 6)
    let ticks = losses.map { Ticks.Tick(value: $0, label: NumberText.shortest($0)) }
    let frame = PlotFrame(x: x, y: y, fixedTicks: ticks)
    let title = TextWidth.fitted(panel.title, fontSize: size.fontSize * 1.08, into: width)
    drawing.text(title, left, top - size.lineHeight * 1.6, "pt")
    let unit = metric.unit.rawValue.isEmpty ? "count" : metric.unit.rawValue
    drawing.text(unit, left, top - size.fontSize * 0.7, "ax")
    frame.drawVerticalAxis(in: &drawing, name: nil, count: 4)
    frame.drawHorizontalAxis(in: &drawing, name: "loss (%)", hasGrid: false)
    for (index, series) in panel.series.enumerated() {
      let style = names.style(series.arm)
      // A small step aside for each arm, so that intervals at the same loss do not hide one another.
      let shift = (Double(index) - Double(panel.series.count - 1) / 2) * 3
      var path = PathData()
      for point in series.points {
        path.line(x.position(point.loss) + shift, y.position(point.summary.median))
      }
      drawing.path(path, "ln \(style.colourClass)", dashes: style.dashes)
      for point in series.points {
        let place = x.position(point.loss) + shift
        drawing.line(
          place, y.position(point.summary.ends.low), place, y.position(point.summary.ends.high),
          "iv \(style.colourClass)")
        drawing.marker(
          style, place, y.position(point.summary.median),
          tip:
            names.label(series.arm) + ", \(NumberText.shortest(point.loss)) % loss: "
            + metric.text(point.summary.median)
        )
      }
    }
  }
}
