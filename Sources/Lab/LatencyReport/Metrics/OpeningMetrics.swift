import LinkModel

/// Connecting, the first event of each kind of connection, and falling back to another version of HTTP.
extension MetricValues {
  mutating func measureOpenings(_ run: RunTimes) {
    let client = run.record.client
    self[.connect] = client.connected.map { RunTimes.milliseconds(from: client.requested, to: $0) }
    // A stream that never opened was waited for until the end, and counts so.
    func waits(_ kind: ClientRecord.Opening.Kind) -> [Double] {
      client.openings.filter { $0.kind == kind }.sorted { $0.requested < $1.requested }
        .map { RunTimes.milliseconds(from: $0.requested, to: $0.firstEvent ?? run.end) }
    }
    // The run's first alone: the later streams of HTTP/1.1 open connections of their own, all at once, and an arm that
    // chooses its transport chooses once.
    self[.firstEventCold] = waits(.cold).first
    self[.firstEventResumed] = waits(.resumed).first
    self[.firstEventZeroRTT] = waits(.zeroRTT).first
    self[.firstEventWarm] = Quantile.median(waits(.warm))
    // Only an arm that may choose can fall back; it did if it ended up with something else than HTTP/3.
    if Self.mayFallBack(run.record.arm), client.spoken != "h3" {
      self[.fallback] = client.openings.compactMap(\.firstEvent).min()
        .map { RunTimes.milliseconds(from: client.requested, to: $0) }
    }
  }

  private static func mayFallBack(_ arm: String) -> Bool { arm == "auto" || arm.hasPrefix("auto-") }
}
