import Metrics

/// Counters of the connections and requests of one HTTP version.
struct ProtocolMetrics: Sendable {
  let bytesSent: Counter
  let bytesReceived: Counter
  let packetsSent: Counter
  let packetsReceived: Counter
  let earlyContentBytes: Counter
  private let opened: [Resumption: Counter]
  private let failed: ReasonCounters
  private let closed: ReasonCounters
  private let handshake: Timer
  private let requestsStarted: Counter
  private let requestsFailed: ReasonCounters
  private let responseHead: Timer

  init(_ transport: TransportKind, _ factory: any MetricsFactory) {
    let dimensions = [("transport", transport.rawValue)]
    func counter(_ name: String) -> Counter {
      Counter(label: "agent_stream_\(name)_total", dimensions: dimensions, factory: factory)
    }
    func counters(_ name: String) -> ReasonCounters {
      ReasonCounters("agent_stream_\(name)_total", dimensions, factory)
    }
    func timer(_ name: String) -> Timer {
      Timer(label: "agent_stream_\(name)_seconds", dimensions: dimensions, factory: factory)
    }
    opened = Dictionary(
      uniqueKeysWithValues: Resumption.allCases.map { resumption in
        let dimensions = dimensions + [("resumption", resumption.rawValue)]
        return (
          resumption, Counter(label: "agent_stream_connections_opened_total", dimensions: dimensions, factory: factory)
        )
      })
    failed = counters("connections_failed")
    closed = counters("connections_closed")
    handshake = timer("handshake")
    requestsStarted = counter("requests_started")
    requestsFailed = counters("requests_failed")
    responseHead = timer("response_head")
    packetsSent = counter("packets_sent")
    packetsReceived = counter("packets_received")
    bytesSent = counter("bytes_sent")
    earlyContentBytes = counter("early_content_bytes")
    bytesReceived = counter("bytes_received")
  }

  // MARK: Connections

  func connectionOpened(_ info: ConnectionInfo) {
    opened[info.resumption]?.increment()
    handshake.record(duration: info.handshake)
  }

  /// No connection came to be.
  func connectionFailed(_ error: any Error) {
    failed.increment(for: error)
  }

  /// A connection that was there has ended, by either side's wish.
  func connectionClosed(_ error: TransportError) {
    closed.increment(for: error)
  }

  // MARK: Requests

  /// Counts a request and times it to its response's fields; one whose response breaks off later has failed as well,
  /// one whose response the caller leaves has not.
  func measure(
    by clock: TransportClock, _ send: () async throws -> TransportResponse
  ) async throws -> TransportResponse {
    requestsStarted.increment()
    let start = clock.now()
    do {
      let response = try await send()
      requestAnswered(response, after: clock.now() - start)
      return response
    } catch {
      requestsFailed.increment(for: error)
      throw error
    }
  }

  /// The same for an attempt beside a race, which counts only if it brings the response or the server has refused it:
  /// where there was no connection, or the other transport won, the request continues elsewhere and is counted there.
  func measureAttempt(
    by clock: TransportClock, _ send: () async throws -> TransportResponse?
  ) async throws -> TransportResponse? {
    let start = clock.now()
    do {
      guard let response = try await send() else { return nil }
      requestsStarted.increment()
      requestAnswered(response, after: clock.now() - start)
      return response
    } catch {
      if !Task.isCancelled, (error as? TransportError)?.endsConnection != true {
        requestsStarted.increment()
        requestsFailed.increment(for: error)
      }
      throw error
    }
  }

  private func requestAnswered(_ response: TransportResponse, after duration: Duration) {
    responseHead.record(duration: duration)
    response.body.whenBroken { [requestsFailed] in requestsFailed.increment(for: $0) }
  }
}
