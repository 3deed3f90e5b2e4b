/// Excess latency from the schedule, and how many events were late.
extension MetricValues {
  /// Answers with the run's histogram, so that an arm's runs can be drawn as one distribution.
  mutating func measureExcess(_ run: RunTimes) -> ExcessHistogram {
    var histogram = ExcessHistogram()
    var late = [0, 0, 0]
    let limits = [50.0, 100, 200]
    for event in run.record.client.events {
      let excess = run.excessMilliseconds(event)
      histogram.record(milliseconds: excess)
      if event.received != nil { histogram.noteArrival(milliseconds: excess) }
      for (place, limit) in limits.enumerated() where event.received == nil || excess > limit { late[place] += 1 }
    }
    for (metric, quantile) in [
      (Metric.excessP50, 0.5), (.excessP90, 0.9), (.excessP95, 0.95), (.excessP99, 0.99), (.excessP999, 0.999),
    ] { self[metric] = histogram.milliseconds(at: quantile) }
    self[.excessMax] = histogram.maximumMilliseconds
    if histogram.count > 0 {
      for (place, metric) in [Metric.late50, .late100, .late200].enumerated() {
        self[metric] = 100 * Double(late[place]) / Double(histogram.count)
      }
    }
    return histogram
  }
}
