/// The differences of two arms in one metric, of runs with the same repetition: same seed, made back to back.
struct PairedSample {
  let metric: Metric
  let baseline: String
  let arm: String
  let differences: [PairedDifference]

  /// Nil where no repetition has the metric in both arms.
  init?(_ metric: Metric, of arm: ArmResults, against baseline: ArmResults) {
    let own = Dictionary(arm.runs.map { ($0.repetition, $0) }, uniquingKeysWith: { first, _ in first })
    differences = baseline.runs.compactMap { run in
      guard let other = own[run.repetition], let value = run.values[metric], let ownValue = other.values[metric] else {
        return nil
      }
      let certainty: PairedDifference.Certainty =
        switch (run.isLowerBound(metric), other.isLowerBound(metric)) {
        case (false, false): .exact
        case (true, false): .atLeast
        case (false, true): .atMost
        case (true, true): .unknown
        }
      return PairedDifference(
        repetition: run.repetition, seed: run.seed, difference: value - ownValue, certainty: certainty)
    }
    guard !differences.isEmpty else { return nil }
    self.metric = metric
    self.baseline = baseline.name
    self.arm = arm.name
  }

  var values: [SeededValue] { differences.map(\.seeded) }

  var range: Interval {
    let sorted = differences.map(\.difference).sorted()
    return Interval(low: sorted.first ?? 0, high: sorted.last ?? 0)
  }
}
