import LinkModel

@testable import LatencyReport

/// An experiment made up by a simple rule, so that documents can be drawn from numbers that look like real ones:
/// every lost packet delays its own stream by a round trip, or all streams of its connection over TCP.
struct SyntheticExperiment {
  struct Arm {
    var name: String
    var label: String
    /// Whether a loss holds up all streams and not only its own.
    var blocksAll: Bool
    var client = "agent-stream 0.1"
    var notes: [String] = []
  }

  static let allArms = [
    Arm(name: "h3", label: "HTTP/3", blocksAll: false),
    Arm(name: "h2", label: "HTTP/2", blocksAll: true, client: "AsyncHTTPClient 1.37", notes: ["0-RTT: not supported"]),
    Arm(
      name: "h1", label: "HTTP/1.1", blocksAll: false,
      notes: ["one connection a stream", "0-RTT: not supported", "resumption: not supported"]),
    Arm(name: "curl-h3", label: "HTTP/3", blocksAll: false, client: "libcurl 8.14", notes: ["control"]),
    Arm(name: "python-h2", label: "HTTP/2 (Python)", blocksAll: true, client: "h2 4.1", notes: ["slow client"]),
    Arm(name: "h2-bbr", label: "HTTP/2, BBR", blocksAll: true, client: "AsyncHTTPClient 1.37"),
  ]

  var arms = Array(allArms.prefix(3))
  var streams = 8
  var events = 250
  var repetitions = 10
  var loss = 0.02
  var oneWayDelayMilliseconds = 25.0
  var seed: UInt64 = 0x5EED
  /// The factor of all times.
  var factor = 1.0
  /// Changes the runs before they are judged.
  var change: (inout RunMetrics, _ arm: String) -> Void = { _, _ in }

  func results() -> ExperimentResults {
    var generator = SyntheticGenerator(seed: seed)
    let runs = arms.map { arm in
      (0..<repetitions).map { repetition in
        SyntheticRun(
          arm: arm, repetition: repetition, streams: streams, events: events, loss: loss,
          oneWayDelayMilliseconds: oneWayDelayMilliseconds, factor: factor, using: &generator)
      }
    }
    let armResults = zip(arms, runs).map(armResults)
    return ExperimentResults(
      header: header(armResults), scenario: scenario, rules: ExperimentRules(), arms: armResults,
      comparisons: comparisons(armResults),
      discarded: repetitions > 1
        ? arms.map {
          DiscardedRun(arm: $0.name, repetition: 0, reason: .warmUp, rule: "warm-up: the first run of each arm")
        } : [],
      budgets: budgets(armResults),
      plots: PlotData(
        distributions: zip(arms, runs).map { PlotData.Distribution(arm: $0.0.name, points: Self.points($0.1)) },
        timelines: runs.compactMap { $0.last?.timeline }))
  }

  private var scenario: ScenarioSummary {
    var direction = DirectionConditions(oneWayDelayMilliseconds: oneWayDelayMilliseconds)
    direction.rateBitsPerSecond = 10_000_000
    direction.queueBytes = 150_000
    direction.loss = loss > 0 ? .bernoulli(rate: loss, longestBurst: nil) : nil
    return ScenarioSummary(
      name: "loss-2", about: "Independent losses on a link with a round trip of 50 ms.",
      source: "pilot of this project; losses as in RFC 3649's examples", link: LinkConditions(bothWays: direction),
      workload: "\(streams) stream\(streams == 1 ? "" : "s") of 50 tokens/s, \(events / 50) s", streams: streams,
      tokensPerSecond: 50)
  }

  private func header(_ arms: [ArmResults]) -> Header {
    Header(
      question:
        "Is HTTP/3 better than HTTP/2 for \(streams) token streams at \(NumberText.shortest(loss * 100)) % loss?",
      verdict: arms.count < 2 || repetitions < 2
        ? "There are too few runs to tell."
        : "HTTP/3 has the lower p95 excess latency by 38.8 ms (95 % interval 35.1 to 43.5 ms, 10 pairs).",
      caveat: "With one stream a connection there is no head of line to block, and the difference goes away.",
      provenance: provenance,
      honesty: [
        "Latency is counted from the schedule that was made before the run, not from the server's write: a writer that "
          + "is held up hides nothing (coordinated omission).",
        "HTTP/2 wins where bandwidth is high, where packets are reordered, and where UDP is throttled.",
        "The single-stream row stands beside this one.",
      ])
  }

  private var provenance: Provenance {
    Provenance(
      started: "2026-11-21T06:40:02Z", finished: "2026-11-21T06:44:31Z",
      commandLine: ["latency-lab", "run", "loss-2", "--streams", "8", "--arms", "h3,h2,h1", "--repetitions", "10"],
      rerunCommand: "latency-lab run loss-2 --streams 8 --arms h3,h2,h1 --repetitions 10 --seed 24301", seed: 24_301,
      machine: "2 cores, 24 GiB, x86_64", kernel: "Linux 6.18.5",
      versions: [
        NamedValue("agent-stream", "0.1 (509937a)"), NamedValue("Swift", "6.3.1"), NamedValue("ngtcp2", "1.11.0"),
        NamedValue("nghttp3", "1.8.0"), NamedValue("GnuTLS", "3.7.9"), NamedValue("AsyncHTTPClient", "1.37.0"),
        NamedValue("Caddy", "2.11.7"),
      ],
      settings: [
        NamedValue("TCP congestion control", "cubic, both sides"), NamedValue("QUIC congestion control", "cubic"),
        NamedValue("TLS", "1.3"), NamedValue("TCP_NODELAY", "on"), NamedValue("0-RTT", "off"),
      ],
      loadBefore: 0.12, loadAfter: 0.87,
      calibration: [
        CalibrationPoint(packetsPerSecond: 100, p50Microseconds: 52, p99Microseconds: 171, p999Microseconds: 260),
        CalibrationPoint(packetsPerSecond: 500, p50Microseconds: 58, p99Microseconds: 210, p999Microseconds: 402),
        CalibrationPoint(packetsPerSecond: 5_000, p50Microseconds: 61, p99Microseconds: 344, p999Microseconds: 1_220),
      ], noiseFloorMilliseconds: 1, isSimulated: false)
  }

  private func armResults(_ arm: Arm, _ runs: [SyntheticRun]) -> ArmResults {
    var metrics = runs.map(\.metrics)
    for place in metrics.indices { change(&metrics[place], arm.name) }
    return ArmResults(
      name: arm.name, label: arm.label, client: arm.client, server: "ours", isControl: arm.name.contains("-"),
      notes: arm.notes, runs: metrics,
      realisedLoss: runs.isEmpty
        ? []
        : [
          RealisedLoss(
            direction: .toClient, packets: 20_412, lost: Int(loss * 20_412), configuredPercent: loss * 100,
            lowPercent: loss * 87, highPercent: loss * 114, drops: ["loss": Int(loss * 20_412), "queueFull": 3]),
          RealisedLoss(
            direction: .toServer, packets: 11_007, lost: Int(loss * 13_000), configuredPercent: loss * 100,
            lowPercent: loss * 104, highPercent: loss * 135, drops: ["loss": Int(loss * 13_000)]),
        ])
  }

  private func comparisons(_ arms: [ArmResults]) -> [Comparison] {
    guard let first = arms.first else { return [] }
    let judge = ComparisonJudge(
      rules: ExperimentRules(), provenance: provenance, roundTripMilliseconds: 2 * oneWayDelayMilliseconds)
    let shown: Set<Metric> = [.excessP95, .excessP50, .excessP99, .stallShare200]
    return judge.comparisons(of: arms.dropFirst().map { (first, $0) }, headline: .excessP95)
      .filter { shown.contains($0.metric) }
  }

  private func budgets(_ arms: [ArmResults]) -> [BudgetOutcome] {
    arms.prefix(2).map { arm in
      let value = arm.summary.first { $0.metric == .excessP99 }?.median
      return BudgetOutcome(
        arm: arm.name, metric: .excessP99, limit: 60, value: value, isKept: value.map { $0 <= 60 } ?? false)
    }
  }

  private static func points(_ runs: [SyntheticRun]) -> [PlotData.QuantilePoint] {
    let sorted = runs.flatMap(\.excess).sorted()
    guard !sorted.isEmpty else { return [] }
    let nines = (0...160).map { 1 - 1 / pow10(Double($0) / 40) }
    return (nines.filter { $0 <= 1 - 1 / Double(sorted.count) } + [1]).map { quantile in
      let place = min(sorted.count - 1, Int(quantile * Double(sorted.count)))
      return PlotData.QuantilePoint(quantile: quantile, milliseconds: sorted[place])
    }
  }
}
