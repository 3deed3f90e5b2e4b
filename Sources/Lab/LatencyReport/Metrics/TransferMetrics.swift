import LinkModel

/// Workloads that download one body or that wait for a tool's result.
extension MetricValues {
  /// A download that did not end counts as having taken until the run's end at least.
  mutating func measureDownload(_ run: RunTimes, bytes: Int) {
    guard let body = run.record.client.events.first else { return }
    let milliseconds = RunTimes.milliseconds(from: body.scheduled, to: body.received ?? run.end)
    guard milliseconds > 0 else { return }
    self[.downloadTime] = milliseconds / 1000
    self[.goodput] = body.received == nil ? 0 : Double(bytes) * 8 / 1000 / milliseconds
    self[.lostEvents] = body.received == nil ? 1 : 0
  }

  /// From the event that asks for a tool to the next one, which waits for the result.
  mutating func measureTool(_ run: RunTimes, sequence: Int) {
    self[.toolRoundTrip] = Quantile.median(
      run.streams.compactMap { _, events in
        guard let asked = events.first(where: { $0.sequence == sequence })?.received,
          let next = events.first(where: { $0.sequence > sequence })
        else { return nil }
        return RunTimes.milliseconds(from: asked, to: next.received ?? run.end)
      })
  }
}
