import LinkModel

/// The common part of the figures of one run: a panel for each arm, one below the other, over the same time.
struct TimelinePanels: Sendable {
  struct Panel: Sendable {
    var timeline: PlotData.Timeline
    var label: String
    var style: SeriesStyle
  }

  let panels: [Panel]
  let oneWayDelayMilliseconds: Double
  /// From the earliest to the latest of what is drawn, milliseconds.
  let start: Double
  let end: Double

  /// Nil where no run was kept that could be drawn.
  init?(_ results: ExperimentResults, names: ArmNames) {
    panels = results.plots.timelines.filter { !$0.events.isEmpty }.map {
      Panel(timeline: $0, label: names.label($0.arm), style: names.style($0.arm))
    }
    guard !panels.isEmpty else { return nil }
    oneWayDelayMilliseconds = results.scenario.link.toClient.oneWayDelayMilliseconds
    let times = panels.flatMap { panel in
      panel.timeline.events.flatMap { [$0.scheduled, $0.received ?? $0.scheduled] }
        + panel.timeline.stalls.flatMap { [$0.from, $0.to] }
    }.filter(\.isFinite)
    start = min(0, times.min() ?? 0)
    end = max(times.max() ?? 1, start + 1)
  }

  /// Milliseconds beyond the schedule and the link's delay; nil for an event that never arrived.
  func excess(_ event: PlotData.TimelineEvent) -> Double? {
    event.received.map { max(0, $0 - event.scheduled - oneWayDelayMilliseconds) }
  }

  /// The name of the arm and what is special about its panel, above it.
  func drawHeading(_ panel: Panel, detail: String, at y: Double, on drawing: inout SVGDrawing) {
    let room = drawing.width - 24
    let label = TextWidth.fitted(panel.label, fontSize: drawing.fontSize * 1.08, into: room * 0.6)
    drawing.marker(panel.style, 6, y - drawing.fontSize * 0.35)
    drawing.text(label, 18, y, "pt")
    let used = TextWidth.of(label, fontSize: drawing.fontSize * 1.08)
    let rest = TextWidth.fitted(detail, fontSize: drawing.fontSize, into: room - used - 12)
    drawing.text(rest, drawing.width - 12, y, "tk", anchor: .end)
  }

  /// The lanes above a panel in which each dropped packet is a tick: toward the client, toward the server.
  static let laneHeight = 14.0

  func drawDrops(
    of panel: Panel, in frame: PlotFrame, from: Double, to: Double, at top: Double, on drawing: inout SVGDrawing
  ) {
    for (lane, direction) in [LinkDirection.toClient, .toServer].enumerated() {
      let y = top + Double(lane) * Self.laneHeight
      drawing.line(frame.left, y + Self.laneHeight, frame.right, y + Self.laneHeight, "gr")
      drawing.text(
        direction == .toClient ? "↓" : "↑", frame.left - 7, y + Self.laneHeight - 2, "tk", anchor: .end)
      var ticks = PathData()
      var seen: Set<Int> = []
      for drop in panel.timeline.drops where drop.direction == direction && drop.at >= from && drop.at <= to {
        let x = frame.x.position(drop.at / 1_000)
        guard seen.insert(Coordinate.tenths(x) / 5).inserted else { continue }
        ticks.move(x, y + 4)
        ticks.line(x, y + Self.laneHeight)
      }
      drawing.path(ticks, direction == .toClient ? "dc" : "ds")
    }
  }

  static let dropEntries = [
    Legend.Entry(sample: .tick("dc"), text: "packet dropped toward the client (↓)"),
    Legend.Entry(sample: .tick("ds"), text: "toward the server (↑)"),
  ]
}
