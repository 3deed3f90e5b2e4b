import LinkModel

/// A metric over an arm's runs: the median, and the interval of that median or, of too few runs, the range.
///
/// Made from runs alone, so that no file can hold an interval that its runs do not support.
package struct MetricSummary: Encodable, Hashable, Sendable {
  package enum Spread: Hashable, Sendable {
    /// The median's 95 % interval.
    case interval(Interval)
    /// The smallest and the largest value of runs that are too few for an interval.
    case range(Interval)
  }

  package let metric: Metric
  package let median: Double
  package let spread: Spread
  package let size: SampleSize

  /// Nil of nothing.
  init?(_ metric: Metric, _ values: [(seed: UInt64, value: Double)]) {
    let numbers = values.map(\.value).sorted()
    guard let median = Quantile.median(numbers), let first = numbers.first, let last = numbers.last else { return nil }
    self.metric = metric
    self.median = median
    let seeded = values.map { SeededValue(seed: $0.seed, value: $0.value) }
    size = SampleSize(seeded)
    spread = MedianTest(seeded).map { .interval($0.interval) } ?? .range(Interval(low: first, high: last))
  }

  /// All metrics that the runs have.
  static func all(_ runs: [RunMetrics]) -> [MetricSummary] {
    Metric.allCases.compactMap { metric in
      MetricSummary(
        metric, runs.compactMap { run in run.values[metric].map { (seed: run.seed, value: $0) } })
    }
  }

  package var runs: Int { size.values }

  /// The ends of whatever there is, to draw them.
  package var ends: Interval {
    switch spread {
    case .interval(let ends), .range(let ends): ends
    }
  }

  package var hasInterval: Bool {
    if case .interval = spread { true } else { false }
  }

  private enum CodingKeys: String, CodingKey { case metric, median, low, high, spread, runs, seeds }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(metric, forKey: .metric)
    try container.encode(median, forKey: .median)
    try container.encode(ends.low, forKey: .low)
    try container.encode(ends.high, forKey: .high)
    try container.encode(hasInterval ? "interval95" : "range", forKey: .spread)
    try container.encode(size.values, forKey: .runs)
    try container.encode(size.seeds, forKey: .seeds)
  }
}
