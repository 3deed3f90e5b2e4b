/// A metric of a run: one number for each run, nil where it does not apply. Lower is better for all but
/// `goodput`.
package enum Metric: String, Codable, CodingKeyRepresentable, CaseIterable, Hashable, Sendable {
  case connect
  case firstEventCold, firstEventResumed, firstEventZeroRTT, firstEventWarm
  case excessP50, excessP90, excessP95, excessP99, excessP999, excessMax
  case gapP50, gapP99, gapMax
  case delayVariationP99, delayVariationMax
  case stalls100, stalls200, stalls500
  case stallTime200, stallLongest, stallShare100, stallShare200, stallShare500, stallRatio
  /// A reader's, at five and at ten events a second.
  case readerPauses5, readerPauses10, readerPauseTime5, readerPauseTime10
  case late50, late100, late200
  case blockedEvents, blockedTime
  /// From the drop of an event's packet to the event's delivery, in round trips of the empty link.
  case recoveryP50, recoveryP95
  case reconnectGap
  /// From the first request to the first event where the first transport cannot work.
  case fallback
  case lostEvents, duplicateEvents
  case serverLatenessP99
  /// The emulated link's own: left - due of the packets that it delivered.
  case linkLatenessP99
  case realisedLossToClient, realisedLossToServer
  case packetsPerThousandEvents, bytesPerThousandEvents
  case clientCPUPerThousandEvents, serverCPUPerThousandEvents
  /// Metrics of workloads that download or that run a tool.
  case downloadTime, goodput, toolRoundTrip

  package enum Unit: String, Codable, Hashable, Sendable {
    case milliseconds = "ms"
    case seconds = "s"
    case share = "%"
    case count = ""
    case roundTrips = "RTT"
    case bytes = "B"
    case megabitsPerSecond = "Mbit/s"
  }
}
