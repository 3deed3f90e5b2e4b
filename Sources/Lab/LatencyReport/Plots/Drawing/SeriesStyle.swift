/// The style in which the arm with this number is drawn: a colour of Okabe and Ito's palette, and a dash and a mark
/// of its own, so that two arms differ without any colour.
struct SeriesStyle: Hashable, Sendable {
  enum Marker: Hashable, Sendable, CaseIterable {
    case circle, square, diamond, triangle, invertedTriangle, cross
  }

  let index: Int

  static let colours = 7

  /// A class of the style sheet, which sets the colour for light and dark paper.
  var colourClass: String { "s\(index % Self.colours)" }

  var dashes: String? {
    let all: [String?] = [nil, "7 3", "2 2.5", "9 3 2 3", "14 4", "5 2 1 2 1 2"]
    return all[index % all.count]
  }

  var marker: Marker { Marker.allCases[index % Marker.allCases.count] }

  func markerPath(_ x: Double, _ y: Double, radius: Double) -> PathData {
    var path = PathData()
    let corners: [(Double, Double)] =
      switch marker {
      case .circle: Self.circle
      case .square: [(-0.85, -0.85), (0.85, -0.85), (0.85, 0.85), (-0.85, 0.85)]
      case .diamond: [(0, -1.25), (1.25, 0), (0, 1.25), (-1.25, 0)]
      case .triangle: [(0, -1.15), (1.1, 0.8), (-1.1, 0.8)]
      case .invertedTriangle: [(0, 1.15), (1.1, -0.8), (-1.1, -0.8)]
      case .cross:
        [
          (-0.4, -1.1), (0.4, -1.1), (0.4, -0.4), (1.1, -0.4), (1.1, 0.4), (0.4, 0.4), (0.4, 1.1), (-0.4, 1.1),
          (-0.4, 0.4), (-1.1, 0.4), (-1.1, -0.4), (-0.4, -0.4),
        ]
      }
    for (dx, dy) in corners { path.line(x + dx * radius, y + dy * radius) }
    path.close()
    return path
  }

  private static let circle: [(Double, Double)] = [
    (1, 0), (0.87, 0.5), (0.5, 0.87), (0, 1), (-0.5, 0.87), (-0.87, 0.5), (-1, 0), (-0.87, -0.5), (-0.5, -0.87),
    (0, -1), (0.5, -0.87), (0.87, -0.5),
  ]
}
