import Foundation

/// The share of events that arrived within a time, for all arms, on an axis that gives each further nine equal room.
struct DistributionFigure: Figure {
  let distributions: [PlotData.Distribution]
  let names: ArmNames
  let noiseFloorMilliseconds: Double

  let identifier = "distribution"
  let title = "How late events were."

  /// Nil where no arm has an event.
  init?(_ results: ExperimentResults, names: ArmNames) {
    distributions = results.plots.distributions.compactMap { distribution in
      let points = distribution.points.filter { $0.quantile.isFinite && $0.milliseconds.isFinite }
      return points.isEmpty ? nil : PlotData.Distribution(arm: distribution.arm, points: points)
    }
    guard !distributions.isEmpty else { return nil }
    self.names = names
    noiseFloorMilliseconds = results.noiseFloorMilliseconds
  }

  var caption: String {
    """
    Share of events that came within an excess latency: the time beyond the schedule and the link's own one-way delay. \
    Further up and further left is better; the upper axis is the slow tail, and its last point the latest event.
    """
  }

  var description: String {
    distributions.map { distribution in
      let values = [0.5, 0.9, 0.99, 0.999].map { quantile in
        let value = NumberText.plain(milliseconds(quantile, of: distribution))
        return "\(NumberText.shortest(quantile * 100)) % within \(value) ms"
      }
      return names.label(distribution.arm) + ": " + values.joined(separator: ", ") + "."
    }.joined(separator: " ")
  }

  func drawing(_ size: PlotSize) -> SVGDrawing {
    let legend = Legend(
      distributions.map { Legend.Entry(sample: .line(names.style($0.arm)), text: names.label($0.arm)) }
        + [Legend.Entry(sample: .plainLine("nf", dashes: "3 3"), text: floorLabel)], size: size)
    let top = legend.height + size.lineHeight * 2
    let bottom = top + size.choose(wide: 380, narrow: 270)
    let y = Scale(.nines, from: 0, to: highestQuantile, start: bottom, end: top + 10)
    let left = PlotFrame.labelWidth(y, count: 6, size: size)
    let frame = PlotFrame(x: horizontalScale(start: left, end: size.width - 12), y: y)
    var drawing = SVGDrawing(size, height: bottom + size.fontSize * 3.4)
    legend.draw(in: &drawing)
    frame.drawVerticalAxis(in: &drawing, name: "share of events that came by then", count: 6)
    let axis = "excess latency (ms)" + (frame.x.kind == .logarithmic ? ", logarithmic" : "")
    frame.drawHorizontalAxis(in: &drawing, name: axis)
    let floor = frame.x.position(noiseFloorMilliseconds)
    drawing.line(floor, frame.top - 4, floor, frame.bottom, "nf")
    for distribution in distributions { draw(distribution, in: frame, on: &drawing) }
    return drawing
  }

  private var floorLabel: String { "noise floor \(NumberText.shortest(noiseFloorMilliseconds)) ms" }

  private func draw(_ distribution: PlotData.Distribution, in frame: PlotFrame, on drawing: inout SVGDrawing) {
    let style = names.style(distribution.arm)
    var path = PathData()
    for point in distribution.points {
      path.line(frame.x.position(point.milliseconds), frame.y.position(point.quantile))
    }
    drawing.path(path, "ln \(style.colourClass)", dashes: style.dashes)
    for quantile in [0.5, 0.9, 0.99, 0.999, 0.9999] where quantile <= highestQuantile {
      let value = milliseconds(quantile, of: distribution)
      let tip = "\(names.label(distribution.arm)): \(NumberText.shortest(quantile * 100)) % within "
      drawing.marker(
        style, frame.x.position(value), frame.y.position(quantile), tip: tip + NumberText.plain(value) + " ms")
    }
    if let last = distribution.points.last {
      drawing.marker(
        style, frame.x.position(last.milliseconds), frame.y.position(last.quantile), radius: 2.6,
        tip: "\(names.label(distribution.arm)): latest event \(NumberText.plain(last.milliseconds)) ms")
    }
  }

  /// The last quantile below 1 that any arm has; the latest event itself is drawn at the edge.
  private var highestQuantile: Double {
    let quantiles = distributions.lazy.flatMap(\.points).map(\.quantile).filter { $0 < 1 }
    return min(max(quantiles.max() ?? 0.99, 0.99), 0.999_99)
  }

  /// Straight where that shows all, logarithmic where one arm's tail would push the others to the edge.
  private func horizontalScale(start: Double, end: Double) -> Scale {
    let values = distributions.flatMap { $0.points.map(\.milliseconds) }
    let largest = values.max() ?? 1
    let medians = distributions.map { max(milliseconds(0.5, of: $0), 1) }
    guard largest > 300 * (medians.min() ?? 1) else {
      return .round(values, including: noiseFloorMilliseconds * 2, count: 6, start: start, end: end)
        .startingAtZero
    }
    let smallest = min(medians.min() ?? 1, noiseFloorMilliseconds > 0 ? noiseFloorMilliseconds : 1)
    let low = pow(10, log10(max(smallest / 2, 0.01)).rounded(.down))
    let step = pow(10, log10(largest).rounded(.down))
    return Scale(.logarithmic, from: low, to: (largest / step).rounded(.up) * step, start: start, end: end)
  }

  private func milliseconds(_ quantile: Double, of distribution: PlotData.Distribution) -> Double {
    let points = distribution.points
    guard let upper = points.firstIndex(where: { $0.quantile >= quantile }) else {
      return points.last?.milliseconds ?? 0
    }
    guard upper > 0, points[upper].quantile > points[upper - 1].quantile else { return points[upper].milliseconds }
    let before = points[upper - 1]
    let share = (quantile - before.quantile) / (points[upper].quantile - before.quantile)
    return before.milliseconds + (points[upper].milliseconds - before.milliseconds) * share
  }
}
