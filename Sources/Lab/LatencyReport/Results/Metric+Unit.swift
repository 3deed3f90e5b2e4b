extension Metric {
  package var unit: Unit {
    switch self {
    case .connect, .firstEventCold, .firstEventResumed, .firstEventZeroRTT, .firstEventWarm, .excessP50, .excessP90,
      .excessP95, .excessP99, .excessP999, .excessMax, .gapP50, .gapP99, .gapMax, .delayVariationP99,
      .delayVariationMax, .stallTime200, .stallLongest, .readerPauseTime5, .readerPauseTime10, .blockedTime,
      .reconnectGap, .fallback, .serverLatenessP99,
      .linkLatenessP99,
      .toolRoundTrip:
      .milliseconds
    case .stalls100, .stalls200, .stalls500, .readerPauses5, .readerPauses10, .blockedEvents, .lostEvents,
      .duplicateEvents, .packetsPerThousandEvents:
      .count
    case .stallShare100, .stallShare200, .stallShare500, .stallRatio, .late50, .late100, .late200,
      .realisedLossToClient, .realisedLossToServer:
      .share
    case .recoveryP50, .recoveryP95: .roundTrips
    case .bytesPerThousandEvents: .bytes
    case .clientCPUPerThousandEvents, .serverCPUPerThousandEvents, .downloadTime: .seconds
    case .goodput: .megabitsPerSecond
    }
  }

  package var isLowerBetter: Bool { self != .goodput }

  /// Whether the metric describes an arm; the others describe the run itself and are not compared.
  package var isOutcome: Bool {
    switch self {
    case .serverLatenessP99, .linkLatenessP99, .realisedLossToClient, .realisedLossToServer: false
    default: true
    }
  }

  /// Converts milliseconds to the metric's own unit; 0 for what is counted and not timed.
  ///
  /// Processor time is not timed on the link, so neither a noise floor nor a bound in milliseconds applies to it.
  package func amount(ofMilliseconds milliseconds: Double, roundTripMilliseconds: Double) -> Double {
    switch unit {
    case .milliseconds: milliseconds
    case .seconds: self == .downloadTime ? milliseconds / 1000 : 0
    case .roundTrips: roundTripMilliseconds > 0 ? milliseconds / roundTripMilliseconds : 0
    case .share, .count, .bytes, .megabitsPerSecond: 0
    }
  }
}
