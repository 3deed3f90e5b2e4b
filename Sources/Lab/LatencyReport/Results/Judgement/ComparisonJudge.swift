/// Judges all comparisons of an experiment together, as what may be said of one depends on how many there are.
struct ComparisonJudge {
  let rules: ExperimentRules
  let provenance: Provenance
  let roundTripMilliseconds: Double

  private struct Case {
    let sample: PairedSample
    let test: MedianTest?
    let noiseFloor: Double
    /// The bound of equivalence, in the metric's unit; nil: none was declared.
    let bound: Double?
    let role: Comparison.Role
  }

  /// The comparisons of each pair: every metric that both arms have in at least one repetition, the headline first.
  func comparisons(of pairs: [(arm: ArmResults, baseline: ArmResults)], headline: Metric) -> [Comparison] {
    let metrics = [headline] + Metric.allCases.filter { $0 != headline && $0.isOutcome }
    let cases = pairs.flatMap { pair in
      metrics.compactMap { examine($0, pair.arm, against: pair.baseline, isPrimary: $0 == headline) }
    }
    let differences = corrected(cases) { $0.test?.pValue(at: 0) }
    let equivalences = corrected(cases) { entry in
      guard let test = entry.test, let bound = entry.bound else { return nil }
      return Equivalence.pValue(test, bound: bound)
    }
    return cases.indices.map { place in
      let entry = cases[place]
      return Comparison(
        entry.sample, role: entry.role, noiseFloor: entry.noiseFloor,
        judgement: judge(entry, difference: differences[place], equivalence: equivalences[place]))
    }
  }

  private func examine(
    _ metric: Metric, _ arm: ArmResults, against baseline: ArmResults, isPrimary: Bool
  ) -> Case? {
    guard let sample = PairedSample(metric, of: arm, against: baseline) else { return nil }
    let paired = Set(sample.differences.map(\.repetition))
    let floor = NoiseFloor(
      (arm.runs + baseline.runs).filter { paired.contains($0.repetition) }, provenance: provenance)
    let bound = rules.equivalenceMilliseconds.map {
      metric.amount(ofMilliseconds: $0, roundTripMilliseconds: roundTripMilliseconds)
    }
    return Case(
      sample: sample, test: MedianTest(sample.values),
      noiseFloor: floor.amount(metric, roundTripMilliseconds: roundTripMilliseconds),
      bound: bound.flatMap { $0 > 0 ? $0 : nil },
      role: isPrimary ? .primary : .exploratory)
  }

  /// Holm's correction, the primary comparisons apart from the others: what was chosen before the run pays nothing for what
  /// is only looked at.
  private func corrected(_ cases: [Case], _ pValue: (Case) -> Double?) -> [Double] {
    var corrected = Array(repeating: 1.0, count: cases.count)
    for role in [Comparison.Role.primary, .exploratory] {
      let tested = cases.indices.compactMap { place in
        cases[place].role == role ? pValue(cases[place]).map { (place: place, pValue: $0) } : nil
      }
      for (test, adjusted) in zip(tested, Holm.adjusted(tested.map(\.pValue))) { corrected[test.place] = adjusted }
    }
    return corrected
  }

  private func judge(_ entry: Case, difference: Double, equivalence: Double) -> Judgement {
    guard let test = entry.test else { return .tooFew(range: entry.sample.range) }
    if let bound = entry.bound,
      let equal = Equivalence(test, bound: bound, correctedP: equivalence, noiseFloor: entry.noiseFloor)
    {
      return .equivalent(equal)
    }
    if let found = JudgedDifference(test, correctedP: difference, noiseFloor: entry.noiseFloor) {
      return (found.median > 0) == entry.sample.metric.isLowerBetter ? .armBetter(found) : .baselineBetter(found)
    }
    return difference <= MedianTest.level && !test.interval.contains(0) ? .belowNoiseFloor : .undecided(Undecided(test))
  }
}
