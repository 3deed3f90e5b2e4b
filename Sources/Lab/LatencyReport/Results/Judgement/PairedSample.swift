/// The differences of two arms in one metric, of runs with the same repetition: same seed, made back to back.
struct PairedSample {
  let metric: Metric
  let baseline: String
  let arm: String
  let differences: [PairedDifference]

  /// Nil where no repetition has the metric in both arms.
  init?(_ metric: Metric, of arm: ArmResults, against baseline: ArmResults, experimentSeed: UInt64) {
    let own = Dictionary(arm.runs.map { ($0.repetition, $0) }, uniquingKeysWith: { first, _ in first })
    differences = baseline.runs.compactMap { run in
      guard let value = run.values[metric], let other = own[run.repetition]?.values[metric] else { return nil }
      return PairedDifference(
        repetition: run.repetition, seed: run.seed ?? experimentSeed, difference: value - other)
    }
    guard !differences.isEmpty else { return nil }
    self.metric = metric
    self.baseline = baseline.name
    self.arm = arm.name
  }

  var values: [SeededValue] { differences.map { SeededValue(seed: $0.seed, value: $0.difference) } }

  var range: Interval {
    let sorted = differences.map(\.difference).sorted()
    return Interval(low: sorted.first ?? 0, high: sorted.last ?? 0)
  }
}
