/// The legend of a plot: a sample of each line with its name, in as many rows as needed.
struct Legend: Sendable {
  enum Sample: Hashable, Sendable {
    case line(SeriesStyle)
    case marker(SeriesStyle)
    case swatch(String)
    case dot(String)
    case plainLine(String, dashes: String?)
    case tick(String)
  }

  struct Entry: Hashable, Sendable {
    var sample: Sample
    var text: String
  }

  private struct Placed {
    var entry: Entry
    var x: Double
    var y: Double
    var text: String
  }

  private let placed: [Placed]
  let height: Double

  init(_ entries: [Entry], size: PlotSize, from left: Double = 0) {
    let sample = 34.0
    let gap = 18.0
    var x = left
    var row = 0
    var placed: [Placed] = []
    for entry in entries {
      let text = TextWidth.fitted(entry.text, fontSize: size.fontSize, into: size.width - left - sample)
      let width = sample + TextWidth.of(text, fontSize: size.fontSize)
      if x > left, x + width > size.width {
        x = left
        row += 1
      }
      placed.append(
        Placed(entry: entry, x: x, y: Double(row) * size.lineHeight * 1.15 + size.lineHeight / 2, text: text))
      x += width + gap
    }
    self.placed = placed
    height = entries.isEmpty ? 0 : Double(row + 1) * size.lineHeight * 1.15 + 4
  }

  func draw(in drawing: inout SVGDrawing, at top: Double = 0) {
    for item in placed {
      let y = top + item.y
      var sample = PathData()
      sample.move(item.x, y)
      sample.line(item.x + 26, y)
      switch item.entry.sample {
      case .line(let style):
        drawing.path(sample, "ln \(style.colourClass)", dashes: style.dashes)
        drawing.marker(style, item.x + 13, y)
      case .marker(let style): drawing.marker(style, item.x + 13, y)
      case .swatch(let name):
        drawing.rectangle(item.x + 4, y - drawing.fontSize * 0.4, width: 20, height: drawing.fontSize * 0.8, name)
      case .dot(let name):
        var dot = PathData()
        dot.dot(item.x + 13, y)
        drawing.path(dot, name)
      case .plainLine(let name, let dashes): drawing.path(sample, name, dashes: dashes)
      case .tick(let name): drawing.line(item.x + 13, y - 6, item.x + 13, y + 6, name)
      }
      drawing.text(item.text, item.x + 32, y + drawing.fontSize * 0.35, "lb")
    }
  }
}
