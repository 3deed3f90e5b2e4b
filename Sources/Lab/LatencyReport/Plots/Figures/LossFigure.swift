import LinkModel

/// The actual loss of each run, against the requested one.
struct LossFigure: Figure {
  private struct Row {
    var arm: String
    var direction: LinkDirection
    var percents: [(repetition: Int, value: Double)]
    var configured: Double?
  }

  private let rows: [Row]
  private let names: ArmNames

  let identifier = "loss"
  let title = "Realised loss of every run."
  let caption = "Each dot is one run; the upright line is the loss that was configured."

  init?(_ results: ExperimentResults, names: ArmNames) {
    rows = results.arms.flatMap { arm -> [Row] in
      [LinkDirection.toClient, .toServer].compactMap { direction -> Row? in
        let metric: Metric = direction == .toClient ? .realisedLossToClient : .realisedLossToServer
        let percents = arm.runs.compactMap { run in run.values[metric].map { (repetition: run.repetition, value: $0) } }
        guard percents.contains(where: { $0.value > 0 }) else { return nil }
        // A loss without a fixed rate, such as one that varies in time, still has a mean.
        let realised = arm.realisedLoss.first { $0.direction == direction }
        return Row(
          arm: arm.name, direction: direction, percents: percents,
          configured: realised?.configuredPercent ?? results.scenario.link[direction].loss?.meanPercent)
      }
    }
    guard !rows.isEmpty else { return nil }
    self.names = names
  }

  var description: String {
    rows.map { row in
      let values = row.percents.map(\.value)
      return "\(names.label(row.arm)) \(LinkText.direction(row.direction)): \(NumberText.plain(values.min() ?? 0)) to "
        + "\(NumberText.plain(values.max() ?? 0)) %."
    }.joined(separator: " ")
  }

  func drawing(_ size: PlotSize) -> SVGDrawing {
    let legend = Legend(
      [
        Legend.Entry(sample: .tick("due"), text: "configured"), Legend.Entry(sample: .dot("dots ink"), text: "a run"),
      ],
      size: size)
    let row = 26.0
    let labels = rows.map { LinkText.direction($0.direction) }
    let widest: Double = rows.map { TextWidth.of(names.label($0.arm), fontSize: size.fontSize) }.max() ?? 0
    let second = labels.map { TextWidth.of($0, fontSize: size.fontSize) }.max() ?? 0
    let room = size.choose(wide: 300.0, narrow: 150.0)
    let left = min(widest + second + 24, room)
    let top = legend.height + 4
    let bottom = top + Double(rows.count) * row
    let values: [Double] = rows.flatMap { row in row.percents.map(\.value) + [row.configured ?? 0] }
    let frame = PlotFrame(
      x: .round(values, count: 6, start: left, end: size.width - 12).startingAtZero,
      y: Scale(.linear, from: 0, to: 1, start: bottom, end: top))
    var drawing = SVGDrawing(size, height: bottom + size.fontSize * 3.4)
    legend.draw(in: &drawing)
    frame.drawHorizontalAxis(in: &drawing, name: "packets lost (%)")
    for (index, item) in rows.enumerated() {
      let y = top + (Double(index) + 0.5) * row
      let style = names.style(item.arm)
      let name = TextWidth.fitted(names.label(item.arm), fontSize: size.fontSize, into: left - second - 24)
      drawing.text(name, 0, y + size.fontSize * 0.35, "lb")
      drawing.text(LinkText.direction(item.direction), left - 10, y + size.fontSize * 0.35, "tk", anchor: .end)
      var dots = PathData()
      for (number, percent) in item.percents.enumerated() where percent.value.isFinite {
        dots.dot(frame.x.position(percent.value), y - 4 + Double(number % 3) * 4)
      }
      drawing.path(dots, "dots \(style.colourClass)")
      if let configured = item.configured {
        let x = frame.x.position(configured)
        drawing.line(x, y - row / 2 + 2, x, y + row / 2 - 2, "due")
      }
    }
    return drawing
  }
}
