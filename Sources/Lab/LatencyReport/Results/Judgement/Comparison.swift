/// One metric of two arms: the pairs of runs, and what may be said of them.
///
/// A difference is `baseline - arm`: positive means that `arm` is better where lower is better. Comparisons are made by
/// ``ComparisonJudge`` and are never read from a file: what a file holds is judged again.
package struct Comparison: Encodable, Hashable, Sendable {
  /// Whether a comparison was chosen before the first run.
  package enum Role: String, Codable, Hashable, Sendable { case primary, exploratory }

  package let metric: Metric
  package let baseline: String
  package let arm: String
  package let role: Role
  /// The runs' data, one a pair; what may be said about them is the judgement's alone.
  package let differences: [PairedDifference]
  package let size: SampleSize
  /// Smaller differences are not judged; in the metric's unit.
  package let noiseFloor: Double
  package let judgement: Judgement

  init(_ sample: PairedSample, role: Role, noiseFloor: Double, judgement: Judgement) {
    metric = sample.metric
    baseline = sample.baseline
    arm = sample.arm
    differences = sample.differences
    size = SampleSize(sample.values)
    self.role = role
    self.noiseFloor = noiseFloor
    self.judgement = judgement
  }

  private enum CodingKeys: String, CodingKey {
    case metric, baseline, arm, role, differences, seeds, noiseFloor, finding, median, low, high, correctedP, bound
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(metric, forKey: .metric)
    try container.encode(baseline, forKey: .baseline)
    try container.encode(arm, forKey: .arm)
    try container.encode(role, forKey: .role)
    try container.encode(differences, forKey: .differences)
    try container.encode(size.seeds, forKey: .seeds)
    try container.encode(noiseFloor, forKey: .noiseFloor)
    try container.encode(judgement.finding, forKey: .finding)
    var interval = judgement.interval
    switch judgement {
    case .armBetter(let difference), .baselineBetter(let difference):
      try container.encode(difference.median, forKey: .median)
      try container.encode(difference.correctedP, forKey: .correctedP)
    case .equivalent(let equivalence): try container.encode(equivalence.bound, forKey: .bound)
    case .tooFew(let range): interval = range
    case .undecided, .belowNoiseFloor: break
    }
    // JSON has no infinity: an end that runs which the deadline cut off leave open is absent.
    try container.encodeIfPresent(interval.flatMap { $0.low.isFinite ? $0.low : nil }, forKey: .low)
    try container.encodeIfPresent(interval.flatMap { $0.high.isFinite ? $0.high : nil }, forKey: .high)
  }
}
