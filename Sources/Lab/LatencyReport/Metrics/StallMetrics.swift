/// The number and length of a stream's stalls.
extension MetricValues {
  mutating func measureStalls(_ run: RunTimes) {
    guard !run.streams.isEmpty else { return }
    let all = Stall.all(in: run, longerThan: 0).map(\.milliseconds)
    let lengths = all.filter { $0 > 100 }
    self[.stalls100] = Double(lengths.count)
    self[.stalls200] = Double(lengths.count { $0 > 200 })
    self[.stalls500] = Double(lengths.count { $0 > 500 })
    self[.stallTime200] = lengths.filter { $0 > 200 }.reduce(0, +)
    self[.stallLongest] = lengths.max() ?? 0
    let duration = run.streams.reduce(0) { $0 + Self.duration(of: $1.events, in: run) }
    guard duration > 0 else { return }
    for (metric, minimum) in [
      (Metric.stallShare100, 100.0), (.stallShare200, 200), (.stallShare500, 500), (.stallRatio, 0),
    ] {
      self[metric] = min(100, 100 * all.filter { $0 > minimum }.reduce(0, +) / duration)
    }
  }

  /// From when a stream's first event was due at the client to when its last one was due or came, in milliseconds.
  private static func duration(of events: [EventRecord], in run: RunTimes) -> Double {
    guard let first = events.first, let last = events.last else { return 0 }
    let scheduled = RunTimes.milliseconds(from: first.scheduled, to: last.scheduled)
    return scheduled + max(0, run.excessMilliseconds(last))
  }
}
