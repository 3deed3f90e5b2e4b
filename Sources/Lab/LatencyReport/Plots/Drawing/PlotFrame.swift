/// The area of one panel with its two axes.
struct PlotFrame: Sendable {
  var x: Scale
  var y: Scale
  /// Places that the horizontal axis must name, instead of round numbers.
  var fixedTicks: [Ticks.Tick]?

  var left: Double { x.start }
  var right: Double { x.end }
  var top: Double { y.end }
  var bottom: Double { y.start }

  /// Grid and tick labels of the vertical axis, and its name above it.
  func drawVerticalAxis(in drawing: inout SVGDrawing, name: String?, count: Int) {
    let fontSize = drawing.fontSize
    var lowest = Double.infinity
    for tick in y.ticks(count: count) {
      let place = y.position(tick.value)
      drawing.line(left, place, right, place, "gr")
      guard lowest - place > fontSize * 1.1 else { continue }
      drawing.text(tick.label, left - 7, place + fontSize * 0.35, "tk", anchor: .end)
      lowest = place
    }
    if let name {
      drawing.text(name, 0, top - fontSize * 0.9, "ax")
    }
  }

  /// Ticks and their labels, as many as there is room for, and the axis's name below.
  func drawHorizontalAxis(in drawing: inout SVGDrawing, name: String?, unit: String = "", hasGrid: Bool = true) {
    let fontSize = drawing.fontSize
    var last = -Double.infinity
    for tick in horizontalTicks(in: drawing) {
      let place = x.position(tick.value)
      if hasGrid { drawing.line(place, top, place, bottom, "gr") }
      let half = TextWidth.of(tick.label, fontSize: fontSize) / 2
      guard place - half > last + fontSize * 0.5 else { continue }
      drawing.text(tick.label, place, bottom + fontSize * 1.4, "tk", anchor: .middle)
      last = place + half
    }
    drawing.line(left, bottom, right, bottom, "axl")
    if let name {
      drawing.text(name, (left + right) / 2, bottom + fontSize * 2.9, "ax", anchor: .middle)
    }
  }

  private func horizontalTicks(in drawing: SVGDrawing) -> [Ticks.Tick] {
    if let fixedTicks { return fixedTicks }
    for count in stride(from: drawing.size.choose(wide: 12, narrow: 7), to: 1, by: -1) {
      let ticks = x.ticks(count: count)
      let widest = ticks.map { TextWidth.of($0.label, fontSize: drawing.fontSize) }.max() ?? 0
      if Double(ticks.count) * (widest + drawing.fontSize * 1.7) <= right - left || x.kind != .linear { return ticks }
    }
    return x.ticks(count: 1)
  }

  /// The room that the labels of the vertical axis need.
  static func labelWidth(_ scale: Scale, count: Int, size: PlotSize) -> Double {
    (scale.ticks(count: count).map { TextWidth.of($0.label, fontSize: size.fontSize) }.max() ?? 0) + 10
  }
}
