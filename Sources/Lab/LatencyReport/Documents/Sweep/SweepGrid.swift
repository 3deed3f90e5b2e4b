import LinkModel

/// Experiments in order of their link: loss down, everything else across.
struct SweepGrid: Sendable {
  struct Column: Hashable, Sendable {
    var roundTripMilliseconds: Double
    var streams: Int
    /// For example "RTT 50 ms, 8 streams".
    var title: String
  }

  let columns: [Column]
  /// Mean loss toward the client in percent, ascending.
  let losses: [Double]
  /// Names in the order in which they first come.
  let arms: [String]
  let experiments: [ExperimentResults]

  init(_ experiments: [ExperimentResults]) {
    self.experiments = experiments
    losses = Set(experiments.map(Self.loss)).sorted()
    let hasSeveralStreamCounts = Set(experiments.map(\.scenario.streams)).count > 1
    var seen: Set<Column> = []
    columns = experiments.map { Self.column($0, namesStreams: hasSeveralStreamCounts) }
      .filter { seen.insert($0).inserted }
      .sorted { ($0.roundTripMilliseconds, $0.streams) < ($1.roundTripMilliseconds, $1.streams) }
    var arms: [String] = []
    for arm in experiments.flatMap(\.arms) where !arms.contains(arm.name) { arms.append(arm.name) }
    self.arms = arms
  }

  func experiment(loss: Double, column: Column) -> ExperimentResults? {
    experiments.first {
      Self.loss($0) == loss && $0.scenario.streams == column.streams
        && $0.scenario.link.roundTripMilliseconds == column.roundTripMilliseconds
    }
  }

  /// The metrics that the whole grid can be judged by: the download's, or the lateness of events.
  var metrics: [Metric] {
    let measured = Set(experiments.flatMap { $0.arms.flatMap { $0.summary.map(\.metric) } })
    let candidates: [Metric] =
      measured.contains(.downloadTime)
      ? [.downloadTime, .goodput] : [.excessP50, .excessP95, .excessP99, .stallShare200]
    return candidates.filter(measured.contains)
  }

  private static func loss(_ results: ExperimentResults) -> Double {
    // Rounded, so that a computed mean falls on the same line as a configured one.
    ((results.scenario.link.toClient.loss?.meanPercent ?? 0) * 1_000).rounded() / 1_000
  }

  private static func column(_ results: ExperimentResults, namesStreams: Bool) -> Column {
    let scenario = results.scenario
    let streams = namesStreams ? ", \(scenario.streams) stream\(scenario.streams == 1 ? "" : "s")" : ""
    return Column(
      roundTripMilliseconds: scenario.link.roundTripMilliseconds, streams: scenario.streams,
      title: "RTT \(NumberText.shortest(scenario.link.roundTripMilliseconds)) ms\(streams)")
  }
}
