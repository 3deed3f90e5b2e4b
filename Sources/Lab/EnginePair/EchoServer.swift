package import HTTP3Engine

/// Answers requests on a ``QUICPair``: `/echo` sends the body back, `/bytes/N` sends N bytes of a known pattern,
/// `/drip/N` sends them little by little, as ``drip()`` says, `/hold` sends fields and then nothing. The query
/// distinguishes requests and has no meaning.
package final class EchoServer {
  private unowned let pair: QUICPair
  private var productions: [Place: Production] = [:]
  package private(set) var resets: [HTTP3Error] = []
  package private(set) var stops: [ApplicationErrorCode] = []
  package private(set) var connectionErrors: [HTTP3Error] = []
  package private(set) var keys: [ConnectionKey] = []
  package private(set) var requests: [[HeaderField]] = []
  /// Requests that came as early data.
  package private(set) var earlyRequests = 0

  /// A `/bytes/N` body on its way.
  private struct Production {
    var total: Int
    var sent = 0
    var isDripping = false
  }

  private struct Place: Hashable {
    var key: ConnectionKey
    var stream: StreamID
  }

  package init(on pair: QUICPair) {
    self.pair = pair
    pair.onServer = { [self] key, event in handle(event, key) }
  }

  /// Byte `index` of every `/bytes` body.
  package static func pattern(_ count: Int) -> [UInt8] {
    bytes(0..<count)
  }

  private static func bytes(_ range: Range<Int>) -> [UInt8] {
    range.map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
  }

  private func handle(_ event: HTTP3Event, _ key: ConnectionKey) {
    if case .closed(let error) = event { connectionErrors.append(error) }
    guard let connection = pair.server.connection(key) else { return }
    switch event {
    case .handshakeCompleted: keys.append(key)
    case .headersReceived(let id, let fields):
      requests.append(fields)
      if connection.arrivedEarly(id) { earlyRequests += 1 }
      respond(to: fields, on: id, connection, key)
    case .bodyReceived(let id, let bytes):
      connection.consume(bytes.count, on: id)
      try? connection.sendBody(bytes, on: id, endStream: false)
    case .messageCompleted(let id):
      guard productions[Place(key: key, stream: id)] == nil else { return }
      try? connection.sendTrailers([HeaderField("x-end", "1")], on: id)
    case .bodyAcknowledged(let id, _): produce(on: id, connection, key)
    case .datagramReceived(let id, let payload): try? connection.sendDatagram(payload, on: id)
    case .streamReset(_, let error): resets.append(error)
    case .stopSendingReceived(let id, let code):
      stops.append(code)
      productions[Place(key: key, stream: id)] = nil
    case .closed, .requestBegan, .settingsReceived, .informationalReceived, .trailersReceived, .streamClosed,
      .requestStreamsAvailable, .goAwayReceived, .ticketReceived, .newTokenReceived, .pathSuspected, .pathAnswered,
      .pathValidated, .pathValidationFailed:
      break
    }
  }

  private func respond(
    to fields: [HeaderField], on id: StreamID, _ connection: HTTP3Connection, _ key: ConnectionKey
  ) {
    let path = (fields.first { $0.name == ":path" }?.value ?? "").prefix { $0 != "?" }
    try? connection.sendInformational([HeaderField(":status", "103"), HeaderField("link", "</a>")], on: id)
    try? connection.sendResponse(
      [HeaderField(":status", "200"), HeaderField("content-type", "application/octet-stream")],
      on: id, endStream: false)
    if path.hasPrefix("/bytes/"), let count = Int(path.dropFirst(7)) {
      productions[Place(key: key, stream: id)] = Production(total: count)
      if count == 0 { try? connection.sendBody([], on: id, endStream: true) }
      produce(on: id, connection, key)
    } else if path.hasPrefix("/drip/"), let count = Int(path.dropFirst(6)) {
      productions[Place(key: key, stream: id)] = Production(total: count, isDripping: true)
    } else if path == "/hold" {
      productions[Place(key: key, stream: id)] = Production(total: 0)
    }
  }

  /// Sends the next bytes of each `/drip` body, as many as a token has.
  package func drip() {
    // A dictionary's order differs from process to process.
    let places = productions.filter(\.value.isDripping).keys.sorted {
      ($0.key.rawValue, $0.stream) < ($1.key.rawValue, $1.stream)
    }
    for place in places {
      guard let production = productions[place] else { continue }
      let end = min(production.sent + 40, production.total)
      let chunk = Self.bytes(production.sent..<end)
      let isLast = end == production.total
      guard let connection = pair.server.connection(place.key),
        (try? connection.sendBody(chunk, on: place.stream, endStream: isLast)) != nil, !isLast
      else {
        productions[place] = nil
        continue
      }
      productions[place]?.sent = end
    }
  }

  /// Keeps the send buffer filled up to its target.
  private func produce(on id: StreamID, _ connection: HTTP3Connection, _ key: ConnectionKey) {
    let place = Place(key: key, stream: id)
    guard var production = productions[place], !production.isDripping else { return }
    while production.sent < production.total, connection.bufferedBytes(on: id) < Self.target {
      let end = min(production.sent + 16_384, production.total)
      let chunk = Self.bytes(production.sent..<end)
      guard (try? connection.sendBody(chunk, on: id, endStream: end == production.total)) != nil else { break }
      production.sent = end
    }
    productions[place] = production
  }

  /// The size of the engine's own target, so that acknowledgements ask for more.
  private static let target = ConnectionConfiguration().sendBufferTarget
}
