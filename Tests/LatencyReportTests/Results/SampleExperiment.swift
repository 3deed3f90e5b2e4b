import LatencyReport
import LinkModel

/// Experiments whose answer is known, as every event's latency is made up.
enum SampleExperiment {
  /// Runs of each arm: 40 events, of which the last `lateEvents` are late by the arm's excess and the others by 1 ms.
  ///
  /// - Parameter excess: of an arm in a repetition, in milliseconds.
  static func runs(
    _ arms: [String], repetitions: Int, lateEvents: Int = 40, excess: (_ arm: String, _ repetition: Int) -> Double
  ) -> [RunRecord] {
    (-1..<repetitions).flatMap { repetition in
      arms.map { arm in
        let late = excess(arm, max(0, repetition))
        let latencies = (0..<40).map { 25 + ($0 >= 40 - lateEvents ? late : 1) }
        let packets = (0..<40).map { place in
          Sample.packet(place, at: Double(place) * 20 + 0.2, dropped: place == 7 ? .loss : nil)
        }
        return Sample.run(
          Sample.client(events: Sample.stream(latencies: latencies), spoken: arm), arm: arm, repetition: repetition,
          packets: packets)
      }
    }
  }

  static func description(
    _ scenario: ScenarioSummary = Sample.scenario(Sample.link(loss: .bernoulli(rate: 0.02, longestBurst: nil))),
    arms: [ArmDescription] = Array(Sample.arms.prefix(2)), rules: ExperimentRules = ExperimentRules(),
    budgets: [Budget] = [], seed: UInt64 = 7
  ) -> ExperimentDescription {
    ExperimentDescription(
      scenario: scenario, provenance: Sample.provenance(seed: seed), arms: arms, rules: rules, budgets: budgets)
  }

  /// HTTP/2 is later than HTTP/3 by 31, 32, … in ten pairs: 35.5 on average.
  static let clear: ExperimentResults = {
    ExperimentAnalysis.results(
      description(),
      runs: runs(["h2", "h3"], repetitions: 10) { arm, repetition in arm == "h2" ? 41 + Double(repetition) : 10 })
  }()
}

extension ExperimentResults {
  func comparison(_ metric: Metric, baseline: String = "h2", arm: String = "h3") -> Comparison? {
    comparisons.first { $0.metric == metric && $0.baseline == baseline && $0.arm == arm }
  }
}
