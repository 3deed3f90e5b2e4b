/// The `d` of an SVG path, short and without anything that is not a number.
struct PathData: Hashable, Sendable {
  private(set) var text = ""
  private var last: (x: Int, y: Int)?

  var isEmpty: Bool { text.isEmpty }

  mutating func move(_ x: Double, _ y: Double) {
    let (x, y) = (Coordinate.tenths(x), Coordinate.tenths(y))
    text += "M" + Coordinate.text(tenths: x) + " " + Coordinate.text(tenths: y)
    last = (x, y)
  }

  /// A straight line, left out if it would be too short to be seen.
  mutating func line(_ x: Double, _ y: Double) {
    guard let last else { return move(x, y) }
    let (x, y) = (Coordinate.tenths(x), Coordinate.tenths(y))
    switch (x == last.x, y == last.y) {
    case (true, true): return
    case (true, false): text += "V" + Coordinate.text(tenths: y)
    case (false, true): text += "H" + Coordinate.text(tenths: x)
    case (false, false): text += "L" + Coordinate.text(tenths: x) + " " + Coordinate.text(tenths: y)
    }
    self.last = (x, y)
  }

  /// First along, then up or down.
  mutating func step(_ x: Double, _ y: Double) {
    guard let last else { return move(x, y) }
    line(x, Double(last.y) / 10)
    line(x, y)
  }

  /// Draws a dot, with a round line cap.
  mutating func dot(_ x: Double, _ y: Double) {
    move(x, y)
    text += "h0"
  }

  mutating func close() {
    text += "z"
    last = nil
  }

  static func == (left: PathData, right: PathData) -> Bool { left.text == right.text }
  func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
