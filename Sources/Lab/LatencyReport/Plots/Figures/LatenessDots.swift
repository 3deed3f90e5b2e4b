import Foundation

/// The events of a run as dots, each as high as it was late; one that never came is a cross at the top.
struct LatenessDots: Sendable {
  private let shared: TimelinePanels
  private let noiseFloorMilliseconds: Double

  /// More dots than this cannot be distinguished on a page.
  private static let dotLimit = 3_000

  init(_ shared: TimelinePanels, noiseFloorMilliseconds: Double) {
    self.shared = shared
    self.noiseFloorMilliseconds = noiseFloorMilliseconds
  }

  var floorEntry: Legend.Entry {
    Legend.Entry(
      sample: .plainLine("nf", dashes: "3 3"), text: "noise floor \(NumberText.shortest(noiseFloorMilliseconds)) ms")
  }

  /// One scale for all panels.
  func scale(start: Double, end: Double) -> Scale {
    let excess = shared.panels.flatMap { $0.timeline.events.compactMap(shared.excess) }
    let largest = excess.max() ?? 1
    guard largest > 5_000 else {
      return .round(excess, including: noiseFloorMilliseconds * 4, count: 4, start: start, end: end).startingAtZero
    }
    let top = pow(10, log10(largest).rounded(.up))
    return Scale(.logarithmic, from: 1, to: top, start: start, end: end)
  }

  /// A panel's events over the noise floor.
  func draw(_ panel: TimelinePanels.Panel, in frame: PlotFrame, on drawing: inout SVGDrawing) {
    let floor = frame.y.position(noiseFloorMilliseconds)
    drawing.line(frame.left, floor, frame.right, floor, "nf")
    var dots = PathData()
    var crosses = PathData()
    var seen: Set<Int> = []
    let latestFirst = panel.timeline.events.sorted {
      (shared.excess($0) ?? .infinity) > (shared.excess($1) ?? .infinity)
    }
    for event in latestFirst where seen.count < Self.dotLimit {
      let x = frame.x.position(event.scheduled / 1_000)
      guard let excess = shared.excess(event) else {
        if seen.insert(Coordinate.tenths(x) / 30).inserted {
          crosses.move(x - 3, frame.top - 3)
          crosses.line(x + 3, frame.top + 3)
          crosses.move(x - 3, frame.top + 3)
          crosses.line(x + 3, frame.top - 3)
        }
        continue
      }
      let y = frame.y.position(excess)
      // Dots that would lie on one another are drawn once: half a pixel is not seen.
      guard seen.insert(Coordinate.tenths(x) / 10 * 100_000 + Coordinate.tenths(y) / 10).inserted else { continue }
      dots.dot(x, y)
    }
    drawing.path(dots, "dots \(panel.style.colourClass)")
    drawing.path(crosses, "cross")
  }
}
