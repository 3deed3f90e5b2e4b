/// What the driver keeps of one exchange until its stream is closed.
final class ExchangeRecord {
  let body: BodyChannel
  var task: Task<Void, Never>?
  let outbox: BodyOutbox
  /// Why the client gets no more, if so.
  var failure: TransportError?
  var isFinished = false

  init(body: BodyChannel, outbox: BodyOutbox) {
    self.body = body
    self.outbox = outbox
  }
}
