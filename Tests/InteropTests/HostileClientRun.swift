import HTTP3Engine

/// One request of a client that does no more than it has to: it sends a GET, again if the server did not process it, and
/// ends the connection when the request is over.
struct ClientRun {
  private let client: HTTP3Connection
  private let keepsOpen: Bool
  private var stream: StreamID?
  private var attempts = 0
  private(set) var succeeded = false
  private(set) var isOver = false
  private(set) var ticket: ResumptionTicket?

  /// - Parameter keepsOpen: until a ticket has come.
  init(_ client: HTTP3Connection, keepsOpen: Bool) {
    self.client = client
    self.keepsOpen = keepsOpen
    if client.isSendingEarlyData { send() }
  }

  private mutating func send() {
    guard stream == nil, attempts < 3 else { return }
    attempts += 1
    stream = try? client.sendRequest(
      [
        HeaderField(":method", "GET"), HeaderField(":scheme", "https"), HeaderField(":authority", "localhost"),
        HeaderField(":path", "/"),
      ], endStream: true)
  }

  mutating func take(_ event: HTTP3Event, at now: Timestamp) {
    switch event {
    case .handshakeCompleted: send()
    case .bodyReceived(let id, let bytes): client.consume(bytes.count, on: id)
    case .messageCompleted(let id) where id == stream:
      succeeded = true
      end(at: now)
    case .streamReset(let id, let error) where id == stream:
      stream = nil
      if error.code == .requestNotProcessed, attempts < 3 { return }
      client.close(.noError, reason: "", at: now)
    case .streamClosed: if stream == nil, !succeeded { send() }
    case .ticketReceived(let ticket):
      self.ticket = ticket
      end(at: now)
    case .closed: isOver = true
    default: break
    }
  }

  private func end(at now: Timestamp) {
    if succeeded, !keepsOpen || ticket != nil { client.close(.noError, reason: "", at: now) }
  }
}
