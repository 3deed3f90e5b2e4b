/// A metric over an arm's runs: the median and its 95 % interval, bootstrapped over runs.
package struct MetricSummary: Codable, Hashable, Sendable {
  package var metric: Metric
  package var median: Double
  package var low: Double
  package var high: Double
  package var runs: Int

  package init(metric: Metric, median: Double, low: Double, high: Double, runs: Int) {
    self.metric = metric
    self.median = median
    self.low = low
    self.high = high
    self.runs = runs
  }
}
