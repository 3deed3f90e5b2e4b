/// Collects the values of one run; omits nil and values that are not finite.
struct MetricValues {
  private(set) var values: [Metric: Double] = [:]

  subscript(metric: Metric) -> Double? {
    get { values[metric] }
    set { values[metric] = newValue.flatMap { $0.isFinite ? $0 : nil } }
  }
}
