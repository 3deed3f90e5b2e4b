/// A metric's name at the head of a column, below a title that names the kind of number.
enum MetricText {
  static func heading(_ metric: Metric) -> String {
    switch metric {
    case .connect: "connect"
    case .firstEventCold: "cold"
    case .firstEventResumed: "resumed"
    case .firstEventZeroRTT: "0-RTT"
    case .firstEventWarm: "warm"
    case .excessP50, .gapP50, .recoveryP50: "p50"
    case .excessP90: "p90"
    case .excessP95, .recoveryP95: "p95"
    case .excessP99, .gapP99: "p99"
    case .excessP999: "p99.9"
    case .excessMax, .gapMax: "max"
    case .delayVariationP99: "variation p99"
    case .delayVariationMax: "variation max"
    case .stalls100: "> 100 ms"
    case .stalls200: "> 200 ms"
    case .stalls500: "> 500 ms"
    case .stallTime200: "stalled > 200 ms"
    case .stallLongest: "longest"
    case .stallShare100: "share > 100 ms"
    case .stallShare200: "share > 200 ms"
    case .stallShare500: "share > 500 ms"
    case .stallRatio: "stall ratio"
    case .readerPauses5: "at 5 events/s"
    case .readerPauses10: "at 10 events/s"
    case .readerPauseTime5: "paused at 5/s"
    case .readerPauseTime10: "paused at 10/s"
    case .late50: "later than 50 ms"
    case .late100: "100 ms"
    case .late200: "200 ms"
    case .blockedEvents: "blocked events"
    case .blockedTime: "blocked time"
    case .reconnectGap: "reconnect gap"
    case .fallback: "fallback"
    case .lostEvents: "events lost"
    case .duplicateEvents: "duplicates"
    case .serverLatenessP99: "server late p99"
    case .linkLatenessP99: "link late p99"
    case .realisedLossToClient: "to client"
    case .realisedLossToServer: "to server"
    case .packetsPerThousandEvents: "packets"
    case .bytesPerThousandEvents: "bytes"
    case .clientCPUPerThousandEvents: "client CPU"
    case .serverCPUPerThousandEvents: "server CPU"
    case .downloadTime: "download"
    case .goodput: "goodput"
    case .toolRoundTrip: "tool round trip"
    }
  }

  /// The label at the head of a section; "p95" stays as it is written everywhere.
  static func title(_ metric: Metric) -> String {
    let label = metric.label
    guard label.dropFirst().first?.isNumber != true else { return label }
    return label.prefix(1).uppercased() + label.dropFirst()
  }

  static func isExcess(_ metric: Metric) -> Bool {
    switch metric {
    case .excessP50, .excessP90, .excessP95, .excessP99, .excessP999, .excessMax: true
    default: false
    }
  }
}
