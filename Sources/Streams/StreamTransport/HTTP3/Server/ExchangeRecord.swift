/// The driver's state of one exchange until its stream is closed.
final class ExchangeRecord {
  let body: BodyChannel
  var task: Task<Void, Never>?
  let outbox: BodyOutbox
  /// The reason for which the client gets no more, if so.
  var failure: TransportError?
  var response = Response.awaited
  /// Bytes of the request's body that the handler has not taken.
  var unread = 0
  /// Bytes of the response's body that the engine was given, and those that the client has not acknowledged.
  var given = 0
  var unsent = 0

  enum Response {
    case awaited, begun, finished
  }

  var isFinished: Bool { response == .finished }
  /// Bytes of the response's body that the client has acknowledged.
  var taken: Int { given - unsent }
  /// The bytes that the server holds for the client.
  var held: Int { unread + unsent }

  init(body: BodyChannel, outbox: BodyOutbox) {
    self.body = body
    self.outbox = outbox
  }
}
