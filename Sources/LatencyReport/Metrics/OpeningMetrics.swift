/// Connecting, the first event of each kind of connection, and falling back to another version of HTTP.
extension MetricValues {
  mutating func measureOpenings(_ run: RunTimes) {
    let client = run.record.client
    self[.connect] = client.connected.map { RunTimes.milliseconds(from: client.requested, to: $0) }
    for (metric, kind) in [
      (Metric.firstEventCold, ClientRecord.Opening.Kind.cold), (.firstEventResumed, .resumed),
      (.firstEventZeroRTT, .zeroRTT), (.firstEventWarm, .warm),
    ] {
      // A stream that never opened was waited for until the end, and counts so.
      self[metric] = Quantile.median(
        client.openings.filter { $0.kind == kind }
          .map { RunTimes.milliseconds(from: $0.requested, to: $0.firstEvent ?? run.end) })
    }
    // Only an arm that may choose can fall back; it did if it ended up with something else than HTTP/3.
    if Self.mayFallBack(run.record.arm), client.spoken != "h3" {
      self[.fallback] = client.openings.compactMap(\.firstEvent).min()
        .map { RunTimes.milliseconds(from: client.requested, to: $0) }
    }
  }

  private static func mayFallBack(_ arm: String) -> Bool { arm == "auto" || arm.hasPrefix("auto-") }
}
