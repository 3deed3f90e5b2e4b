/// Paired differences `baseline - arm` in one metric: positive means that `arm` is better where lower is better.
package struct Comparison: Codable, Hashable, Sendable {
  package enum Finding: String, Codable, Hashable, Sendable {
    case armBetter, baselineBetter, noSignificantDifference, belowNoiseFloor, tooFewRuns
  }

  package var metric: Metric
  package var baseline: String
  package var arm: String
  /// One a pair, with its repetition.
  package var differences: [PairedDifference]
  package var mean: Double
  package var low: Double
  package var high: Double
  package var finding: Finding

  package init(
    metric: Metric, baseline: String, arm: String, differences: [PairedDifference], mean: Double, low: Double,
    high: Double, finding: Finding
  ) {
    self.metric = metric
    self.baseline = baseline
    self.arm = arm
    self.differences = differences
    self.mean = mean
    self.low = low
    self.high = high
    self.finding = finding
  }
}
