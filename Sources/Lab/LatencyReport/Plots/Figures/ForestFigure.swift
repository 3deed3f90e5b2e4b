import LinkModel

/// One comparison in several experiments, a row each: the interval of the median difference, and the median of each seed.
struct ForestFigure: Figure {
  private struct Row {
    var title: String
    var comparison: Comparison
    /// The median difference of each seed's pairs.
    var seeds: [Double]
  }

  private struct Group {
    var server: String
    var rows: [Row]
  }

  private let groups: [Group]
  private let metric: Metric
  private let names: ArmNames
  private let arm: String
  private let baseline: String

  let identifier = "forest"

  /// Nil where no experiment has the comparison.
  init?(_ experiments: [ExperimentResults], arm: String, baseline: String, metric: Metric) {
    var groups: [Group] = []
    for results in experiments {
      let found = results.comparisons.first {
        $0.metric == metric && $0.arm == arm && $0.baseline == baseline
      }
      guard let found, let server = results.arms.first(where: { $0.name == arm })?.server else { continue }
      let row = Row(title: Self.title(of: results.scenario), comparison: found, seeds: Self.seedMedians(found))
      if let place = groups.firstIndex(where: { $0.server == server }) {
        groups[place].rows.append(row)
      } else {
        groups.append(Group(server: server, rows: [row]))
      }
    }
    guard !groups.isEmpty else { return nil }
    self.groups = groups
    self.metric = metric
    self.arm = arm
    self.baseline = baseline
    names = ArmNames(sweep: experiments)
  }

  var title: String { "\(names.label(baseline)) − \(names.label(arm)), \(metric.label), by experiment." }

  var caption: String {
    let rows = groups.flatMap(\.rows).map(\.comparison.size)
    let pairs = rows.map(\.values).sorted()
    let seeds = rows.map(\.seeds).sorted()
    return """
      Each row is an experiment of \(Self.text(pairs)) pairs of runs and \(Self.text(seeds)) seeds. A bar is the 95 % interval \
      of the median difference, with a mark at the median where a difference was found; a thin line is the range of pairs that \
      are too few for an interval. Each dot is the median of one seed's pairs. The shaded band is the row's noise floor.
      """
  }

  var description: String {
    groups.flatMap { group in
      group.rows.map { "\(group.server), \($0.title): \(FindingText.sentence($0.comparison, names: names))." }
    }.joined(separator: " ")
  }

  func drawing(_ size: PlotSize) -> SVGDrawing {
    let layout = Layout(groups.flatMap(\.rows).map { ($0.title, FindingText.short($0.comparison)) }, size: size)
    let legend = Legend(
      [
        Legend.Entry(sample: .swatch("band"), text: "noise floor"),
        Legend.Entry(sample: .plainLine("zero", dashes: nil), text: "no difference"),
        Legend.Entry(sample: .dot("dots neutral"), text: "one seed"),
      ], size: size)
    let top = legend.height + 4
    let height = groups.reduce(0) { $0 + layout.heading + Double($1.rows.count) * layout.row }
    let x = Scale.round(
      groups.flatMap { $0.rows.flatMap(Self.drawn) }, count: 7, start: layout.left, end: layout.right)
    let frame = PlotFrame(x: x, y: Scale(.linear, from: 0, to: 1, start: top + height, end: top))
    var drawing = SVGDrawing(size, height: top + height + size.fontSize * 3.4)
    legend.draw(in: &drawing)
    frame.drawHorizontalAxis(in: &drawing, name: axis)
    var y = top
    for group in groups {
      drawHeading(group, at: y, layout, isFirst: y == top, on: &drawing)
      y += layout.heading
      for row in group.rows {
        draw(row, at: y, layout, in: frame, on: &drawing)
        y += layout.row
      }
    }
    return drawing
  }

  private var axis: String {
    let unit = metric.unit.rawValue
    return "\(names.label(baseline)) − \(names.label(arm)), \(metric.label)" + (unit.isEmpty ? "" : " (\(unit))")
  }

  private func drawHeading(
    _ group: Group, at y: Double, _ layout: Layout, isFirst: Bool, on drawing: inout SVGDrawing
  ) {
    let size = drawing.size
    // The axis's grid ends where a heading begins.
    drawing.rectangle(0, y + 0.5, width: drawing.width, height: layout.heading - 1, "paper")
    let base = y + size.lineHeight * 1.45
    let better = "\(names.label(metric.isLowerBetter ? arm : baseline)) better →"
    let width = isFirst && size == .wide ? TextWidth.of(better, fontSize: size.fontSize) + 20 : 0
    drawing.text(
      TextWidth.fitted(group.server, fontSize: size.fontSize * 1.1, into: drawing.width - width), 0, base, "pt")
    if width > 0 { drawing.text(better, drawing.width, base, "tk", anchor: .end) }
  }

  private func draw(
    _ row: Row, at top: Double, _ layout: Layout, in frame: PlotFrame, on drawing: inout SVGDrawing
  ) {
    let size = drawing.size
    let comparison = row.comparison
    let y = top + layout.middle
    let floor = comparison.noiseFloor
    let band = (frame.x.position(-floor), frame.x.position(floor))
    drawing.rectangle(band.0, top, width: band.1 - band.0, height: layout.row, "band")
    drawing.line(frame.x.position(0), top, frame.x.position(0), top + layout.row, "zero")
    let style = names.colourClass(of: comparison)
    if let span = Self.span(of: comparison) {
      let line = comparison.judgement.interval == nil ? "thin" : "iv"
      drawing.line(frame.x.position(span.low), y, frame.x.position(span.high), y, "\(line) \(style)")
    }
    var dots = PathData()
    for (index, median) in row.seeds.enumerated() {
      dots.dot(frame.x.position(median), y - 4 + Double(index % 3) * 4)
    }
    drawing.path(dots, "dots \(style)")
    if let difference = comparison.judgement.difference {
      let median = frame.x.position(difference.median)
      drawing.line(median, y - 9, median, y + 9, "median \(style)")
    }
    let base = layout.text(top)
    drawing.text(row.title, 0, base, "lb")
    drawing.text(FindingText.short(comparison), drawing.width, base, "tk", anchor: .end)
    drawing.line(0, top + layout.row, size.width, top + layout.row, "gr")
  }

  /// The interval, or the range of pairs that are too few for one; nil where neither may be shown.
  private static func span(of comparison: Comparison) -> Interval? {
    if case .tooFew(let range) = comparison.judgement { return range }
    return comparison.judgement.interval
  }

  /// The values for which a row needs room.
  private static func drawn(_ row: Row) -> [Double] {
    let ends = span(of: row.comparison).map { [$0.low, $0.high].filter(\.isFinite) } ?? []
    let floor = 2 * row.comparison.noiseFloor
    return ends + row.seeds + [-floor, floor]
  }

  private static func seedMedians(_ comparison: Comparison) -> [Double] {
    Dictionary(grouping: comparison.differences.filter { $0.difference.isFinite }, by: \.seed)
      .sorted { $0.key < $1.key }
      .compactMap { Quantile.median($0.value.map(\.difference)) }
  }

  private static func title(of scenario: ScenarioSummary) -> String {
    "\(scenario.name), \(scenario.streams) stream\(scenario.streams == 1 ? "" : "s")"
  }

  /// For example "20" or "18 to 20".
  private static func text(_ sorted: [Int]) -> String {
    guard let first = sorted.first, let last = sorted.last else { return "no" }
    return first == last ? "\(first)" : "\(first) to \(last)"
  }
}

extension ForestFigure {
  /// The places of a row: beside each other on wide paper, and title above bar on narrow paper.
  private struct Layout {
    let heading: Double
    let row: Double
    /// From the top of a row to its bar.
    let middle: Double
    let left: Double
    let right: Double
    private let base: Double

    init(_ texts: [(title: String, finding: String)], size: PlotSize) {
      func widest(_ texts: [String]) -> Double {
        texts.map { TextWidth.of($0, fontSize: size.fontSize) }.max() ?? 0
      }
      heading = size.lineHeight * 1.9
      switch size {
      case .wide:
        row = 30
        middle = row / 2
        base = middle + size.fontSize * 0.35
        left = min(widest(texts.map(\.title)) + 14, size.width / 3)
        right = size.width - min(widest(texts.map(\.finding)) + 14, size.width / 3)
      case .narrow:
        row = size.lineHeight + 26
        middle = size.lineHeight + 12
        base = size.lineHeight
        left = 12
        right = size.width - 12
      }
    }

    func text(_ top: Double) -> Double { top + base }
  }
}
