/// The arms' names and line styles, the same everywhere in a document.
struct ArmNames: Sendable {
  /// Longer names are cut where they stand in tables and figures; the table of arms has them in full.
  private static let longest = 48

  private let labels: [String: String]
  private let styles: [String: SeriesStyle]

  init(_ arms: [ArmResults]) {
    self.init(arms.map { ($0.name, $0.label) })
  }

  /// The names of several experiments' arms: one that is in more than one keeps its place.
  init(sweep: [ExperimentResults]) {
    self.init(sweep.flatMap { $0.arms.map { ($0.name, $0.label) } })
  }

  private init(_ arms: [(name: String, label: String)]) {
    var labels: [String: String] = [:]
    var styles: [String: SeriesStyle] = [:]
    for (name, label) in arms where labels[name] == nil {
      styles[name] = SeriesStyle(index: labels.count)
      let label = Self.cut(label.isEmpty ? name : label)
      labels[name] = labels.values.contains(label) ? Self.cut("\(label) · \(name)") : label
    }
    self.labels = labels
    self.styles = styles
  }

  private static func cut(_ label: String) -> String {
    label.count > longest ? label.prefix(longest - 1) + "…" : label
  }

  func label(_ name: String) -> String {
    labels[name] ?? Self.cut(name)
  }

  func style(_ name: String) -> SeriesStyle {
    styles[name] ?? SeriesStyle(index: styles.count)
  }

  /// The colour of the arm that is better, for what is drawn of a comparison.
  func colourClass(of comparison: Comparison) -> String {
    switch comparison.judgement {
    case .armBetter: style(comparison.arm).colourClass
    case .baselineBetter: style(comparison.baseline).colourClass
    case .equivalent, .undecided, .belowNoiseFloor, .tooFew: "neutral"
    }
  }
}
