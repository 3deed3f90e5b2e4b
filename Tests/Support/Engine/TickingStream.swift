package import EnginePair
package import HTTP3Engine
import LabPeers

/// One response on a ``QUICPair`` without an end, one small event after the other, as an event stream does; it
/// records when each event came.
package final class TickingStream {
  /// The number of bytes of one event.
  package static let eventSize = 64

  private unowned let pair: QUICPair
  private var place: (key: ConnectionKey, stream: StreamID)?
  private var sentCount = 0
  private var received: [UInt8] = []
  package private(set) var sendTimes: [Timestamp] = []
  package private(set) var arrivalTimes: [Timestamp] = []
  /// The paths that were reported as validated.
  package private(set) var validated: [NetworkPath] = []
  package private(set) var refuted: [NetworkPath] = []
  package private(set) var tokens: [[UInt8]] = []
  package private(set) var suspicions = 0
  package private(set) var closed: HTTP3Error?
  package private(set) var connectionCount = 0
  /// Bytes that came up, of requests that the client sent meanwhile.
  package private(set) var uploaded = 0

  package init(on pair: QUICPair) {
    self.pair = pair
    pair.onClient = { [self] in handle($0) }
    pair.onServer = { [self] in handle($1, of: $0) }
  }

  /// Runs until the response has begun and the connection has what it needs to migrate.
  package func open() throws {
    try pair.run { place != nil }
    try pair.run(for: .milliseconds(300))
  }

  /// Sends `count` events, one every `interval` of virtual time.
  package func tick(_ count: Int, every interval: Duration) throws {
    for _ in 0..<count {
      guard let place, let connection = pair.server.connection(place.key) else { return }
      let event = (0..<Self.eventSize).map { UInt8(truncatingIfNeeded: sentCount &* 7 &+ $0) }
      try? connection.sendBody(event, on: place.stream, endStream: false)
      sendTimes.append(pair.now)
      sentCount += 1
      try pair.run(for: interval)
    }
  }

  /// The path that the server sends on.
  package var serverPath: NetworkPath? { place.flatMap { pair.server.connection($0.key)?.currentPath } }

  /// Runs until every event has come.
  package func settle() throws {
    try pair.run { arrivalTimes.count == sentCount || closed != nil }
  }

  /// Whether each event came once, whole and in order.
  package var isExact: Bool {
    let expected = (0..<sentCount).flatMap { number in
      (0..<Self.eventSize).map { UInt8(truncatingIfNeeded: number &* 7 &+ $0) }
    }
    return closed == nil && received == expected
  }

  /// Whether the library gave up, as ngtcp2 1.11 may after rebindings under loss: it stalled, of which the client's owner
  /// learned in time to make another connection, or it counted a connection id twice.
  package var wasGivenUp: Bool {
    guard case .transport(let code) = closed?.code else { return false }
    let connectionIDLimitError = QUICErrorCode(rawValue: 0x9)
    return code == .noViablePath && suspicions > 0 || code == connectionIDLimitError
  }

  /// The longest time for which nothing came, less the usual distance of two events.
  package func gap(beyond interval: Duration) -> Duration {
    zip(arrivalTimes, arrivalTimes.dropFirst()).map { $1 - $0 - interval }.max() ?? .zero
  }

  /// The greatest time from an event's sending to its arrival.
  package var greatestDelay: Duration {
    zip(sendTimes, arrivalTimes).map { $1 - $0 }.max() ?? .zero
  }

  private func handle(_ event: HTTP3Event) {
    switch event {
    case .handshakeCompleted:
      let fields = [
        HeaderField(":method", "GET"), HeaderField(":scheme", "https"), HeaderField(":authority", "localhost"),
        HeaderField(":path", "/events"),
      ]
      _ = try? pair.client.sendRequest(fields, endStream: true)
    case .bodyReceived(let id, let bytes):
      received += bytes
      pair.client.consume(bytes.count, on: id)
      while arrivalTimes.count < received.count / Self.eventSize { arrivalTimes.append(pair.now) }
    case .pathValidated(let path): validated.append(path)
    case .pathValidationFailed(let path): refuted.append(path)
    case .newTokenReceived(let token): tokens.append(token)
    case .closed(let error): closed = error
    case .pathSuspected: suspicions += 1
    case .headersReceived, .settingsReceived, .informationalReceived, .trailersReceived, .messageCompleted,
      .datagramReceived, .pathAnswered,
      .streamReset, .stopSendingReceived, .bodyAcknowledged, .streamClosed, .requestBegan, .requestStreamsAvailable,
      .goAwayReceived, .ticketReceived:
      break
    }
  }

  private func handle(_ event: HTTP3Event, of key: ConnectionKey) {
    switch event {
    case .handshakeCompleted: connectionCount += 1
    case .headersReceived(let id, _):
      let connection = pair.server.connection(key)
      try? connection?.sendResponse([HeaderField(":status", "200")], on: id, endStream: false)
      if place == nil { place = (key, id) }
    case .bodyReceived(let id, let bytes):
      uploaded += bytes.count
      pair.server.connection(key)?.consume(bytes.count, on: id)
    case .settingsReceived, .informationalReceived, .trailersReceived, .messageCompleted, .streamReset,
      .datagramReceived, .pathSuspected, .pathAnswered,
      .stopSendingReceived, .bodyAcknowledged, .streamClosed, .requestBegan, .requestStreamsAvailable, .goAwayReceived,
      .ticketReceived, .newTokenReceived, .pathValidated, .pathValidationFailed, .closed:
      break
    }
  }
}
