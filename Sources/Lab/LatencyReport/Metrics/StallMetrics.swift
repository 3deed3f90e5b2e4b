/// The number and length of a stream's stalls.
extension MetricValues {
  mutating func measureStalls(_ run: RunTimes) {
    guard !run.streams.isEmpty else { return }
    let lengths = Stall.all(in: run, longerThan: 100).map(\.milliseconds)
    let headline = lengths.filter { $0 > 200 }
    let total = headline.reduce(0, +)
    self[.stalls100] = Double(lengths.count)
    self[.stalls200] = Double(headline.count)
    self[.stalls500] = Double(lengths.count { $0 > 500 })
    self[.stallTime200] = total
    self[.stallLongest] = lengths.max() ?? 0
    let duration = run.streams.reduce(0) { $0 + Self.duration(of: $1.events, in: run) }
    if duration > 0 { self[.stallShare200] = min(100, 100 * total / duration) }
  }

  /// From when a stream's first event was due at the client to when its last one was due or came, in milliseconds.
  private static func duration(of events: [EventRecord], in run: RunTimes) -> Double {
    guard let first = events.first, let last = events.last else { return 0 }
    let scheduled = RunTimes.milliseconds(from: first.scheduled, to: last.scheduled)
    return scheduled + max(0, run.excessMilliseconds(last))
  }
}
