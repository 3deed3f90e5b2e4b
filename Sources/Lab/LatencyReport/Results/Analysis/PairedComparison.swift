/// Compares two arms by repetition, so that each difference is between runs of the same seed, made back to back.
struct PairedComparison {
  let rules: ExperimentRules
  let noiseFloorMilliseconds: Double
  let roundTripMilliseconds: Double
  let bootstrap: Bootstrap

  /// Every metric that both arms have in at least one repetition, the headline first.
  func comparisons(of arm: ArmResults, against baseline: ArmResults, headline: Metric) -> [Comparison] {
    let metrics = [headline] + Metric.allCases.filter { $0 != headline && $0.isOutcome }
    return metrics.compactMap { compare(arm, against: baseline, in: $0) }
  }

  func compare(_ arm: ArmResults, against baseline: ArmResults, in metric: Metric) -> Comparison? {
    let own = Dictionary(arm.runs.map { ($0.repetition, $0) }, uniquingKeysWith: { first, _ in first })
    let differences = baseline.runs.compactMap { run -> PairedDifference? in
      guard let value = run.values[metric], let other = own[run.repetition]?.values[metric] else { return nil }
      return PairedDifference(repetition: run.repetition, difference: value - other)
    }
    let values = differences.map(\.difference)
    let purpose = "\(baseline.name) - \(arm.name): \(metric.rawValue)"
    guard let interval = bootstrap.mean(of: values, purpose: purpose) else { return nil }
    let mean = values.reduce(0, +) / Double(values.count)
    return Comparison(
      metric: metric, baseline: baseline.name, arm: arm.name, differences: differences, mean: mean,
      low: interval.low, high: interval.high,
      finding: finding(metric, mean: mean, interval: interval, pairs: values.count))
  }

  /// A difference is a finding only if its interval leaves 0 out and it is not smaller than what the link itself adds.
  func finding(_ metric: Metric, mean: Double, interval: Interval, pairs: Int) -> Comparison.Finding {
    if pairs < rules.minimumPairs { return .tooFewRuns }
    if interval.contains(0) { return .noSignificantDifference }
    let floor = metric.noiseFloor(milliseconds: noiseFloorMilliseconds, roundTripMilliseconds: roundTripMilliseconds)
    if abs(mean) < floor { return .belowNoiseFloor }
    return (mean > 0) == metric.isLowerBetter ? .armBetter : .baselineBetter
  }
}
