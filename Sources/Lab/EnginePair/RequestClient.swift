package import HTTP3Engine

/// Sends requests on a ``QUICPair`` and keeps what comes back.
package final class RequestClient {
  package struct Answer {
    package var status: String?
    package var informational = 0
    package var body: [UInt8] = []
    package var trailers: [HeaderField] = []
    package var datagrams: [[UInt8]] = []
    package var isComplete = false
    package var error: HTTP3Error?
    package var isOver: Bool { isComplete || error != nil }
  }

  private struct Waiting {
    var fields: [HeaderField]
    var body: [UInt8]?
    var index: Int
  }

  private unowned let pair: QUICPair
  private var waiting: [Waiting] = []
  private var sent: [Int: Waiting] = [:]
  private var unsentBody: [StreamID: ArraySlice<UInt8>] = [:]
  private var indexOfStream: [StreamID: Int] = [:]
  package private(set) var streams: [Int: StreamID] = [:]
  package private(set) var answers: [Answer] = []
  package private(set) var handshake: HandshakeInfo?
  package private(set) var closed: HTTP3Error?
  package private(set) var tickets: [ResumptionTicket] = []
  package private(set) var tokens: [[UInt8]] = []
  /// Requests that went out as early data and were refused are sent again.
  package var repeatsRefusedRequests = false
  package private(set) var goAway: StreamID?
  /// The times at which the path was reported as suspect, and at which it answered again.
  package private(set) var suspicions: [Timestamp] = []
  package private(set) var answersAfterSuspicion: [Timestamp] = []
  /// Whether body bytes are credited as they come.
  package var consumes = true

  package init(on pair: QUICPair) {
    self.pair = pair
    pair.onClient = { [self] in handle($0) }
  }

  /// Sends a request as soon as the handshake, or early data, and the server allow it; answers its index in ``answers``.
  @discardableResult
  package func send(_ method: String, _ path: String, body: [UInt8]? = nil, fields extra: [HeaderField] = []) -> Int {
    answers.append(Answer())
    let fields =
      [
        HeaderField(":method", method), HeaderField(":scheme", "https"),
        HeaderField(":authority", "localhost"), HeaderField(":path", path),
      ] + extra
    let request = Waiting(fields: fields, body: body, index: answers.count - 1)
    waiting.append(request)
    sent[request.index] = request
    if handshake != nil || pair.client.isSendingEarlyData { sendWaiting() }
    return answers.count - 1
  }

  package var isDone: Bool { closed != nil || answers.allSatisfy(\.isOver) }

  private func handle(_ event: HTTP3Event) {
    switch event {
    case .handshakeCompleted(let info):
      handshake = info
      sendWaiting()
    case .requestStreamsAvailable: sendWaiting()
    case .headersReceived(let id, let fields):
      update(id) { $0.status = fields.first { $0.name == ":status" }?.value }
    case .informationalReceived(let id, _): update(id) { $0.informational += 1 }
    case .bodyReceived(let id, let bytes):
      update(id) { $0.body += bytes }
      if consumes { pair.client.consume(bytes.count, on: id) }
    case .trailersReceived(let id, let fields): update(id) { $0.trailers = fields }
    case .messageCompleted(let id): update(id) { $0.isComplete = true }
    case .streamReset(let id, let error):
      if repeatsRefusedRequests, error.code == .requestNotProcessed, let index = indexOfStream[id],
        let request = sent[index]
      {
        waiting.append(request)
      } else {
        update(id) { $0.error = error }
      }
    case .ticketReceived(let ticket): tickets.append(ticket)
    case .datagramReceived(let id, let payload): update(id) { $0.datagrams.append(payload) }
    case .newTokenReceived(let token): tokens.append(token)
    case .bodyAcknowledged(let id, _): sendBody(on: id)
    case .closed(let error):
      closed = error
      for index in answers.indices where !answers[index].isOver { answers[index].error = error }
    case .goAwayReceived(let id): goAway = id
    case .pathSuspected: suspicions.append(pair.now)
    case .pathAnswered: answersAfterSuspicion.append(pair.now)
    case .requestBegan, .settingsReceived, .stopSendingReceived, .streamClosed, .pathValidated, .pathValidationFailed:
      break
    }
  }

  private func update(_ id: StreamID, _ change: (inout Answer) -> Void) {
    guard let index = indexOfStream[id] else { return }
    change(&answers[index])
  }

  private func sendWaiting() {
    while let next = waiting.first {
      do {
        let id = try pair.client.sendRequest(next.fields, endStream: next.body == nil)
        waiting.removeFirst()
        indexOfStream[id] = next.index
        streams[next.index] = id
        if let body = next.body {
          unsentBody[id] = body[...]
          sendBody(on: id)
        }
      } catch {
        guard error.code != .streamLimitReached else { return }
        answers[next.index].error = error
        waiting.removeFirst()
      }
    }
  }

  private func sendBody(on id: StreamID) {
    guard var rest = unsentBody[id] else { return }
    while pair.client.bufferedBytes(on: id) < ConnectionConfiguration().sendBufferTarget {
      let chunk = rest.prefix(16_384)
      rest = rest.dropFirst(16_384)
      guard (try? pair.client.sendBody(Array(chunk), on: id, endStream: rest.isEmpty)) != nil, !rest.isEmpty
      else {
        unsentBody[id] = nil
        return
      }
    }
    unsentBody[id] = rest
  }
}
