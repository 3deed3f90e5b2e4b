import LinkModel

/// The gap over an outage, a rebinding or a reconnect; lost and repeated events.
extension MetricValues {
  mutating func measureBreaks(_ run: RunTimes) {
    let client = run.record.client
    self[.lostEvents] = Double(client.events.count { $0.received == nil })
    self[.duplicateEvents] = Double(client.duplicates)
    var gaps = client.reconnects.map {
      RunTimes.milliseconds(from: $0.lastEvent ?? $0.noticed, to: $0.nextEvent ?? run.end)
    }
    let times = Self.breakTimes(run)
    for (_, events) in run.streams where !times.isEmpty {
      let arrivals = events.compactMap(\.received).sorted()
      let isWhole = arrivals.count == events.count
      for time in times {
        guard let last = arrivals.last(where: { $0 <= time }) else { continue }
        let next = arrivals.first { $0 > time }
        // After a stream's last event a break interrupts nothing.
        guard let next = next ?? (isWhole ? nil : run.end) else { continue }
        gaps.append(RunTimes.milliseconds(from: last, to: next))
      }
    }
    self[.reconnectGap] = gaps.max()
  }

  /// Times on the client's side in the middle of the link's configured interruptions, on the machine's clock.
  ///
  /// Packets that entered before an outage still arrive for one one-way delay; in the middle of the silence that follows
  /// lies half the outage more.
  private static func breakTimes(_ run: RunTimes) -> [Int64] {
    guard let first = run.packets.first(where: { $0.direction == .toServer })?.entered else { return [] }
    let length = RunTimes.milliseconds(from: first, to: run.end)
    let delay = run.oneWayDelayMilliseconds
    var times: [Double] = []
    for outage in run.scenario.link.toClient.outages ?? [] {
      times += occurrences(from: outage.startMilliseconds, every: outage.everyMilliseconds, until: length)
        .map { $0 + outage.durationMilliseconds / 2 + delay }
    }
    if let rebinding = run.scenario.link.rebinding {
      times += occurrences(from: rebinding.firstMilliseconds, every: rebinding.everyMilliseconds, until: length)
        .map { $0 + delay }
    }
    return times.map { first &+ Int64(clampingNanoseconds: $0) }
  }

  /// The times of the occurrences, at most 1 000, which is more than any preset has.
  private static func occurrences(from start: Double, every period: Double?, until end: Double) -> [Double] {
    guard start <= end else { return [] }
    guard let period, period > 0 else { return [start] }
    return (0..<1000).lazy.map { start + Double($0) * period }.prefix { $0 <= end }.map { $0 }
  }
}
