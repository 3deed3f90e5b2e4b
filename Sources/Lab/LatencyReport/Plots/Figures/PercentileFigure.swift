/// Median, tail and extremes of each arm, as a mark with its interval.
struct PercentileFigure: Figure {
  private struct Row {
    var metric: Metric
    var summaries: [(arm: String, summary: MetricSummary)]
  }

  private let rows: [Row]
  private let names: ArmNames
  private let arms: [String]
  private let noiseFloorMilliseconds: Double

  let identifier = "percentiles"
  let title = "Percentiles by arm."
  let caption =
    "Median over the runs, and as a bar its 95 % interval, or the range of runs that are too few for one. Further left is better."

  init?(_ results: ExperimentResults, names: ArmNames) {
    let metrics: [Metric] = [.excessP50, .excessP90, .excessP95, .excessP99]
    rows = metrics.compactMap { metric in
      let summaries = results.arms.compactMap { arm in
        arm.summary.first { $0.metric == metric && $0.median.isFinite }.map { (arm.name, $0) }
      }
      return summaries.isEmpty ? nil : Row(metric: metric, summaries: summaries)
    }
    guard !rows.isEmpty else { return nil }
    arms = results.arms.map(\.name).filter { arm in
      results.arms.contains { $0.name == arm && !$0.summary.isEmpty }
    }
    self.names = names
    noiseFloorMilliseconds = results.noiseFloorMilliseconds
  }

  var description: String {
    rows.map { row in
      MetricText.heading(row.metric) + ": "
        + row.summaries.map { "\(names.label($0.arm)) \(NumberText.plain($0.summary.median)) ms" }
        .joined(separator: ", ") + "."
    }.joined(separator: " ")
  }

  func drawing(_ size: PlotSize) -> SVGDrawing {
    let legend = Legend(
      arms.map { Legend.Entry(sample: .marker(names.style($0)), text: names.label($0)) }, size: size)
    let lane = size.choose(wide: 15.0, narrow: 14.0)
    let top = legend.height + 14
    let heights = rows.map { Double($0.summaries.count) * lane + 16 }
    let bottom = top + heights.reduce(0, +)
    let left = 44.0
    let texts = rows.flatMap { $0.summaries.map { Self.texts($0.summary) } }
    let intervals = (texts.map { TextWidth.of($0.interval, fontSize: size.fontSize) }.max() ?? 0)
    let medians = (texts.map { TextWidth.of($0.median, fontSize: size.fontSize * 1.1) }.max() ?? 0)
    let numbers = size.choose(wide: intervals + medians + 24, narrow: 0.0)
    let values = rows.flatMap {
      $0.summaries.flatMap { [$0.summary.median, $0.summary.ends.low, $0.summary.ends.high] }
    }
    let x = Scale.round(
      values, including: noiseFloorMilliseconds * 2, count: 6, start: left, end: size.width - 12 - numbers
    ).startingAtZero
    let frame = PlotFrame(x: x, y: Scale(.linear, from: 0, to: 1, start: bottom, end: top))
    var drawing = SVGDrawing(size, height: bottom + size.fontSize * 3.4)
    legend.draw(in: &drawing)
    frame.drawHorizontalAxis(in: &drawing, name: "excess latency (ms)")
    let floor = x.position(noiseFloorMilliseconds)
    drawing.line(floor, top - 4, floor, bottom, "nf")
    var y = top
    for (row, height) in zip(rows, heights) {
      drawing.text(MetricText.heading(row.metric), 0, y + height / 2 + size.fontSize * 0.35, "pt")
      drawing.line(0, y + height, size.width, y + height, "gr")
      for (index, entry) in row.summaries.enumerated() {
        draw(
          entry.summary, of: entry.arm, at: y + 8 + (Double(index) + 0.5) * lane, in: frame, intervalWidth: intervals,
          on: &drawing)
      }
      y += height
    }
    return drawing
  }

  private static func texts(_ summary: MetricSummary) -> (median: String, interval: String) {
    let decimals = NumberText.decimals(for: [summary.median, summary.ends.high])
    let ends = [summary.ends.low, summary.ends.high].map { NumberText.fixed($0, decimals: decimals) }
    return (NumberText.fixed(summary.median, decimals: decimals), "[\(ends[0]), \(ends[1])]")
  }

  private func draw(
    _ summary: MetricSummary, of arm: String, at y: Double, in frame: PlotFrame, intervalWidth: Double,
    on drawing: inout SVGDrawing
  ) {
    let style = names.style(arm)
    let (text, interval) = Self.texts(summary)
    drawing.line(
      frame.x.position(summary.ends.low), y, frame.x.position(summary.ends.high), y, "iv \(style.colourClass)")
    drawing.marker(
      style, frame.x.position(summary.median), y, radius: 4, tip: "\(names.label(arm)): \(text) ms \(interval)")
    if drawing.size == .wide {
      drawing.text(text, drawing.width - intervalWidth - 6, y + drawing.fontSize * 0.35, "vl", anchor: .end)
      drawing.text(interval, drawing.width - intervalWidth, y + drawing.fontSize * 0.35, "tk")
    }
  }
}
