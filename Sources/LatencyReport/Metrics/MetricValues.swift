/// The values of one run while they are gathered: what is nil or no number is left out.
struct MetricValues {
  private(set) var values: [Metric: Double] = [:]

  subscript(metric: Metric) -> Double? {
    get { values[metric] }
    set { values[metric] = newValue.flatMap { $0.isFinite ? $0 : nil } }
  }
}
