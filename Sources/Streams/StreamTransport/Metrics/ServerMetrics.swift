import HTTP3Engine
import Metrics

/// Counters of an HTTP/3 server.
struct ServerMetrics: Sendable {
  private let opened: [Resumption: Counter]
  private let failed: ReasonCounters
  private let closed: ReasonCounters
  private let replies: [StatelessReply: Counter]
  private let unremembered: Counter
  private let started: Counter
  private let requestsFailed: ReasonCounters
  private let packetsSent: Counter
  private let packetsReceived: Counter
  private let packetsHandedOn: Counter
  private let packetsLostBetweenLoops: Counter
  private let bytesSent: Counter
  private let bytesReceived: Counter
  private let rides: Counter
  private let hedges: Counter
  private let refusals: [LoadRefusal: Counter]
  /// They rise and fall with each server that counts with the same names.
  private let connections: Meter
  private let halfOpenRequests: Meter
  private let heldBytes: Meter
  private let streams: Meter
  private let handlers: Meter
  private let kernelDrops: Counter
  private let roundTrip: Timer
  private let congestionWindow: Recorder

  init(_ factory: any MetricsFactory) {
    func counter(_ name: String, _ dimensions: [(String, String)] = []) -> Counter {
      Counter(label: "agent_stream_server_\(name)_total", dimensions: dimensions, factory: factory)
    }
    func counters(_ name: String) -> ReasonCounters {
      ReasonCounters("agent_stream_server_\(name)_total", [], factory)
    }
    opened = Dictionary(
      uniqueKeysWithValues: Resumption.allCases.map {
        ($0, counter("connections_opened", [("resumption", $0.rawValue)]))
      })
    failed = counters("connections_failed")
    closed = counters("connections_closed")
    replies = Dictionary(
      uniqueKeysWithValues: StatelessReply.allCases.map {
        ($0, counter("stateless_replies", [("kind", $0.rawValue)]))
      })
    unremembered = counter("early_data_unremembered")
    started = counter("requests_started")
    requestsFailed = counters("requests_failed")
    packetsSent = counter("packets_sent")
    packetsReceived = counter("packets_received")
    packetsHandedOn = counter("packets_handed_on", [("outcome", "taken")])
    packetsLostBetweenLoops = counter("packets_handed_on", [("outcome", "lost")])
    bytesSent = counter("bytes_sent")
    bytesReceived = counter("bytes_received")
    rides = counter("repeats_sent", [("kind", "ride")])
    hedges = counter("repeats_sent", [("kind", "hedge")])
    refusals = Dictionary(
      uniqueKeysWithValues: LoadRefusal.allCases.map { ($0, counter("refusals", [("reason", $0.rawValue)])) })
    connections = Meter(label: "agent_stream_server_connections", dimensions: [], factory: factory)
    halfOpenRequests = Meter(label: "agent_stream_server_half_open_requests", dimensions: [], factory: factory)
    heldBytes = Meter(label: "agent_stream_server_held_bytes", dimensions: [], factory: factory)
    streams = Meter(label: "agent_stream_server_streams", dimensions: [], factory: factory)
    handlers = Meter(label: "agent_stream_server_handlers", dimensions: [], factory: factory)
    kernelDrops = counter("kernel_drops")
    roundTrip = Timer(label: "agent_stream_server_round_trip_seconds", dimensions: [], factory: factory)
    congestionWindow = Recorder(
      label: "agent_stream_server_congestion_window_bytes", dimensions: [], aggregate: true, factory: factory)
  }

  // MARK: Load

  func connectionsCount(by change: Int) { Self.add(change, to: connections) }

  func halfOpenRequestsCount(by change: Int) { Self.add(change, to: halfOpenRequests) }

  func heldBytesCount(by change: Int) { Self.add(change, to: heldBytes) }

  /// Requests whose stream is not closed.
  func streamsCount(by change: Int) { Self.add(change, to: streams) }

  /// Handlers that have not returned, also those whose stream is closed.
  func handlersCount(by change: Int) { Self.add(change, to: handlers) }

  private static func add(_ change: Int, to meter: Meter) {
    if change >= 0 { meter.increment(by: Double(change)) } else { meter.decrement(by: Double(-change)) }
  }

  /// A limit kept something out or ended it.
  func refused(_ reason: LoadRefusal) { refusals[reason]?.increment() }

  // MARK: Connections

  func connectionOpened(_ handshake: HandshakeInfo) {
    opened[Resumption(handshake)]?.increment()
  }

  /// A connection has ended, by either side's wish; one whose handshake was not complete has failed.
  func connectionClosed(_ error: TransportError, wasOpen: Bool) {
    (wasOpen ? closed : failed).increment(for: error)
  }

  /// Handshakes whose early data was refused because too many are remembered already.
  func earlyDataRefused(_ count: UInt64) {
    unremembered.increment(by: count)
  }

  /// A batch is sent, or counts as lost.
  func sent(_ batch: DatagramBatch, _ reply: StatelessReply?) {
    if let reply { replies[reply]?.increment() }
    packetsSent.increment(by: batch.segmentCount)
    bytesSent.increment(by: batch.byteCount)
  }

  /// A connection ends with these counters and estimates.
  func connectionEnds(_ statistics: ConnectionStatistics) {
    rides.increment(by: statistics.repeats.sent - statistics.repeats.hedges)
    hedges.increment(by: statistics.repeats.hedges)
    // Without a sample neither says anything of the path.
    guard let smoothed = statistics.smoothedRoundTrip else { return }
    roundTrip.record(duration: smoothed)
    congestionWindow.record(Int64(clamping: statistics.congestionWindow))
  }

  /// Datagrams that found the socket's receive buffer full.
  func kernelDropped(_ count: UInt64) {
    kernelDrops.increment(by: count)
  }

  /// A datagram came to the socket of another loop than the one that it is for.
  func handedOn(_ outcome: LoopNeighbours.Outcome) {
    switch outcome {
    case .kept: break
    case .handedOn: packetsHandedOn.increment()
    case .lost: packetsLostBetweenLoops.increment()
    }
  }

  func received(packets: Int, bytes: Int) {
    packetsReceived.increment(by: packets)
    bytesReceived.increment(by: bytes)
  }

  // MARK: Requests

  func requestStarted() {
    started.increment()
  }

  /// One whose response will not be complete.
  func requestFailed(_ error: TransportError) {
    requestsFailed.increment(for: error)
  }
}
