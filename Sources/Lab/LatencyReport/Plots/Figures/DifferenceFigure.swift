/// Each pair of runs a dot, and what was found of them as a bar: whether two arms differ at all.
struct DifferenceFigure: Figure {
  private let groups: [(baseline: String, arm: String, comparisons: [Comparison])]
  private let names: ArmNames
  private let noiseFloorMilliseconds: Double

  let identifier = "differences"
  let title = "Paired differences."

  /// Only what is in milliseconds, so that one axis holds for all.
  init?(_ results: ExperimentResults, names: ArmNames) {
    let metrics: [Metric] = [.excessP50, .excessP95, .excessP99, .excessP999]
    let drawn = metrics.flatMap { metric in
      results.comparisons.filter { $0.metric == metric && $0.differences.contains { $0.difference.isFinite } }
    }
    guard !drawn.isEmpty else { return nil }
    var groups: [(baseline: String, arm: String, comparisons: [Comparison])] = []
    for comparison in drawn {
      if let index = groups.firstIndex(where: { $0.baseline == comparison.baseline && $0.arm == comparison.arm }) {
        groups[index].comparisons.append(comparison)
      } else {
        groups.append((comparison.baseline, comparison.arm, [comparison]))
      }
    }
    self.groups = Array(groups.prefix(6))
    self.names = names
    noiseFloorMilliseconds = results.noiseFloorMilliseconds
  }

  var caption: String {
    """
    Each dot is one pair of runs; a bar is the 95 % interval of their median, with a mark at the median where a difference \
    was found. Pairs that are too few or below the noise floor (the shaded band, ± \
    \(NumberText.plain(noiseFloorMilliseconds)) ms) have no bar.
    """
  }

  var description: String {
    groups.flatMap { group in
      group.comparisons.map {
        "\(MetricText.heading($0.metric)), \(names.label(group.baseline)) minus \(names.label(group.arm)): "
          + "\(FindingText.sentence($0, names: names))."
      }
    }.joined(separator: " ")
  }

  func drawing(_ size: PlotSize) -> SVGDrawing {
    let row = 30.0
    let heading = size.lineHeight * 1.9
    let legend = Legend(
      [
        Legend.Entry(sample: .swatch("band"), text: "noise floor"),
        Legend.Entry(sample: .plainLine("zero", dashes: nil), text: "no difference"),
      ], size: size)
    let counts = groups.map { Double($0.comparisons.count) }
    let top = legend.height + 4
    let bottom = top + counts.reduce(0) { $0 + heading + $1 * row } + 4
    let values = groups.flatMap {
      $0.comparisons.flatMap { $0.differences.map(\.difference) }
    }
    let x = Scale.round(
      values + [-2 * noiseFloorMilliseconds, 2 * noiseFloorMilliseconds], count: 7, start: 44,
      end: size.width - 14 - size.choose(wide: margin(size), narrow: 0))
    let frame = PlotFrame(x: x, y: Scale(.linear, from: 0, to: 1, start: bottom, end: top))
    var drawing = SVGDrawing(size, height: bottom + size.fontSize * 3.4)
    legend.draw(in: &drawing)
    frame.drawHorizontalAxis(in: &drawing, name: "difference in excess latency (ms)")
    var y = top
    for (index, group) in groups.enumerated() {
      drawHeading(group.baseline, group.arm, at: y, in: frame, on: &drawing)
      y += heading
      let height = Double(group.comparisons.count) * row
      let band = (x.position(-noiseFloorMilliseconds), x.position(noiseFloorMilliseconds))
      drawing.rectangle(band.0, y, width: band.1 - band.0, height: height, "band")
      drawing.line(x.position(0), y, x.position(0), y + height, "zero")
      for comparison in group.comparisons {
        draw(comparison, at: y + row / 2, in: frame, on: &drawing)
        y += row
      }
      if index < groups.count - 1 { drawing.line(0, y, size.width, y, "axl") }
    }
    return drawing
  }

  private func margin(_ size: PlotSize) -> Double {
    let texts = groups.flatMap { $0.comparisons.map { FindingText.short($0) } }
    return (texts.map { TextWidth.of($0, fontSize: size.fontSize) }.max() ?? 0) + 14
  }

  private func drawHeading(
    _ baseline: String, _ arm: String, at y: Double, in frame: PlotFrame, on drawing: inout SVGDrawing
  ) {
    let fontSize = drawing.fontSize
    let base = y + drawing.size.lineHeight * 1.45
    drawing.rectangle(0, y + 0.5, width: drawing.width, height: drawing.size.lineHeight * 1.9 - 1, "paper")
    if drawing.size == .wide {
      let title = "\(names.label(baseline)) − \(names.label(arm))"
      let better = TextWidth.fitted("\(names.label(arm)) better →", fontSize: fontSize, into: 240)
      drawing.text(better, drawing.width, base, "tk", anchor: .end)
      drawing.text(
        TextWidth.fitted(title, fontSize: fontSize * 1.2, into: drawing.width - 260), 0, base, "pt")
    } else {
      let title = "\(names.label(baseline)) − \(names.label(arm))"
      drawing.text(TextWidth.fitted(title, fontSize: fontSize * 1.2, into: drawing.width), 0, base, "pt")
    }
  }

  private func draw(_ comparison: Comparison, at y: Double, in frame: PlotFrame, on drawing: inout SVGDrawing) {
    let style = names.colourClass(of: comparison)
    drawing.text(MetricText.heading(comparison.metric), 0, y + drawing.fontSize * 0.35, "lb")
    var dots = PathData()
    for (index, pair) in comparison.differences.prefix(400).enumerated() where pair.difference.isFinite {
      dots.dot(frame.x.position(pair.difference), y - 5 + Double(index % 3) * 5)
    }
    drawing.path(dots, "dots \(style)")
    if let interval = comparison.judgement.interval {
      drawing.line(frame.x.position(interval.low), y, frame.x.position(interval.high), y, "iv \(style)")
    }
    if let difference = comparison.judgement.difference {
      let median = frame.x.position(difference.median)
      drawing.line(median, y - 9, median, y + 9, "median \(style)")
    }
    if drawing.size == .wide {
      drawing.text(
        FindingText.short(comparison), drawing.width, y + drawing.fontSize * 0.35, "tk", anchor: .end)
    }
  }
}
