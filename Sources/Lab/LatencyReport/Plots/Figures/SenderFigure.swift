/// What held events up: a run of each arm with its events' lateness, and below it what the sender had in flight and
/// what its congestion window was.
struct SenderFigure: Figure {
  private struct Point {
    /// Milliseconds from the schedule's start.
    var at: Double
    var window: Double
    var inFlight: Double
  }

  /// The parts of one arm from top to bottom.
  private struct Layout {
    let above: Double
    let lateness: Double
    let between: Double
    let sender: Double
    let below: Double

    init(_ size: PlotSize) {
      above = size.lineHeight * 3.3 + 2 * TimelinePanels.laneHeight
      lateness = size.choose(wide: 120, narrow: 96)
      between = size.lineHeight * 1.9
      sender = size.choose(wide: 120, narrow: 96)
      below = size.fontSize * 3
    }

    var height: Double { above + lateness + between + sender + below }
  }

  private static let tickCount = 4

  private let shared: TimelinePanels
  private let dots: LatenessDots
  /// For each panel its connections.
  private let connections: [[[Point]]]
  /// The arms whose windows are counted in segments.
  private let segmentArms: Set<String>

  let identifier = "senders"
  let title: String

  /// Nil where no event can be drawn.
  ///
  /// - Parameters:
  ///   - results: with one timeline for each run that is drawn.
  ///   - senders: the run's trace by arm, and its schedule's start on the same clock.
  init?(
    _ results: ExperimentResults, names: ArmNames, senders: [String: (trace: SenderTrace, start: Int64)]
  ) {
    guard let shared = TimelinePanels(results, names: names) else { return nil }
    self.shared = shared
    dots = LatenessDots(shared, noiseFloorMilliseconds: results.noiseFloorMilliseconds)
    title = "\(results.scenario.name), \(results.scenario.workload): lateness, and what was in flight"
    segmentArms = Set(senders.filter { $0.value.trace.countsSegments }.keys)
    connections = shared.panels.map { panel in
      guard let sender = senders[panel.timeline.arm] else { return [] }
      return sender.trace.connections.map { samples in
        Self.points(samples, from: sender.start, within: shared.start...shared.end)
      }.filter { !$0.isEmpty }
    }
  }

  /// The samples of the time that is drawn, with the last one before it at its beginning.
  private static func points(
    _ samples: [SenderTrace.Sample], from start: Int64, within range: ClosedRange<Double>
  ) -> [Point] {
    let all = samples.map { sample in
      Point(
        at: RunTimes.milliseconds(from: start, to: sample.time), window: sample.windowBytes,
        inFlight: sample.inFlightBytes)
    }.filter { $0.window.isFinite && $0.inFlight.isFinite }
    let drawn = all.filter { range.contains($0.at) }
    guard var first = all.last(where: { $0.at < range.lowerBound }) else { return drawn }
    first.at = range.lowerBound
    return [first] + drawn
  }

  var caption: String {
    """
    One run of each arm. Above, each event at its scheduled time, as high as it was late; below, the server's \
    congestion window as a line and what it had in flight as an area, which cannot be above the line for long. The \
    ticks are packets the link dropped.
    """
  }

  var description: String {
    zip(shared.panels, connections).map { panel, connections in
      let latest = panel.timeline.events.compactMap(shared.excess).max() ?? 0
      let windows = connections.joined().map(\.window)
      let span =
        windows.isEmpty
        ? "window not recorded"
        : "window \(NumberText.plain(windows.min() ?? 0)) to \(NumberText.plain(windows.max() ?? 0)) bytes"
      return "\(panel.label): latest event \(NumberText.plain(latest)) ms late, \(panel.timeline.drops.count) packets "
        + "dropped, \(span)."
    }.joined(separator: " ")
  }

  func drawing(_ size: PlotSize) -> SVGDrawing {
    let legend = Legend(
      TimelinePanels.dropEntries + [
        dots.floorEntry, Legend.Entry(sample: .plainLine("thin ink", dashes: nil), text: "congestion window"),
        Legend.Entry(sample: .swatch("wait ink"), text: "in flight"),
      ], size: size)
    let layout = Layout(size)
    var drawing = SVGDrawing(
      size, height: legend.height + Double(shared.panels.count) * layout.height + size.fontSize * 1.7)
    legend.draw(in: &drawing)
    for index in shared.panels.indices {
      draw(index, layout, top: legend.height + Double(index) * layout.height, on: &drawing)
    }
    return drawing
  }

  private func draw(_ index: Int, _ layout: Layout, top: Double, on drawing: inout SVGDrawing) {
    let panel = shared.panels[index]
    let size = drawing.size
    let upper = top + layout.above
    let lower = upper + layout.lateness + layout.between
    let lateness = dots.scale(start: upper + layout.lateness, end: upper)
    let sender = senderScale(index, start: lower + layout.sender, end: lower)
    let labels = [lateness, sender].map { PlotFrame.labelWidth($0, count: Self.tickCount, size: size) }
    let x = Scale(
      .linear, from: shared.start / 1_000, to: shared.end / 1_000, start: max(labels.max() ?? 0, 26),
      end: size.width - 12)
    let above = PlotFrame(x: x, y: lateness)
    shared.drawHeading(panel, detail: detail(index), at: top + size.lineHeight, on: &drawing)
    shared.drawDrops(
      of: panel, in: above, from: shared.start, to: shared.end, at: top + size.lineHeight * 1.5, on: &drawing)
    above.drawVerticalAxis(in: &drawing, name: "excess latency (ms)", count: Self.tickCount)
    dots.draw(panel, in: above, on: &drawing)
    let below = PlotFrame(x: x, y: sender)
    below.drawVerticalAxis(in: &drawing, name: senderAxis(panel.timeline.arm), count: Self.tickCount)
    for connection in connections[index] { draw(connection, panel.style, in: below, on: &drawing) }
    below.drawHorizontalAxis(
      in: &drawing, name: index == shared.panels.count - 1 ? "time (s)" : nil, hasGrid: false)
  }

  private func detail(_ index: Int) -> String {
    let run = "run \(shared.panels[index].timeline.repetition + 1)"
    switch connections[index].count {
    case 0: return "\(run), window not recorded"
    case 1: return run
    case let count: return "\(run), \(count) connections"
    }
  }

  private func senderAxis(_ arm: String) -> String {
    segmentArms.contains(arm) ? "in flight (kB, each segment counted as a full one)" : "in flight (kB)"
  }

  /// Kilobytes, for each panel by itself: bytes and full segments are not to be compared.
  private func senderScale(_ index: Int, start: Double, end: Double) -> Scale {
    let values = connections[index].joined().flatMap { [$0.window / 1_000, $0.inFlight / 1_000] }
    return Scale.round(values, count: Self.tickCount, start: start, end: end).startingAtZero
  }

  private func draw(
    _ points: [Point], _ style: SeriesStyle, in frame: PlotFrame, on drawing: inout SVGDrawing
  ) {
    guard let first = points.first, let last = points.last else { return }
    func place(_ at: Double) -> Double { frame.x.position(at / 1_000) }
    var area = PathData()
    area.move(place(first.at), frame.bottom)
    var line = PathData()
    for point in thinned(points, in: frame) {
      area.step(place(point.at), frame.y.position(point.inFlight / 1_000))
      line.step(place(point.at), frame.y.position(point.window / 1_000))
    }
    area.line(place(last.at), frame.bottom)
    area.close()
    drawing.path(area, "wait \(style.colourClass)")
    drawing.path(line, "thin ink")
  }

  /// Of the points in each half pixel, those that are first, last, highest and lowest.
  private func thinned(_ points: [Point], in frame: PlotFrame) -> [Point] {
    var kept: [Point] = []
    var start = points.startIndex
    while start < points.endIndex {
      let column = Coordinate.tenths(frame.x.position(points[start].at / 1_000)) / 5
      var end = start + 1
      while end < points.endIndex, Coordinate.tenths(frame.x.position(points[end].at / 1_000)) / 5 == column {
        end += 1
      }
      let places = start..<end
      let chosen = [
        start, end - 1, places.min { points[$0].inFlight < points[$1].inFlight },
        places.max { points[$0].inFlight < points[$1].inFlight }, places.min { points[$0].window < points[$1].window },
        places.max { points[$0].window < points[$1].window },
      ]
      kept += Set(chosen.compactMap { $0 }).sorted().map { points[$0] }
      start = end
    }
    return kept
  }
}
