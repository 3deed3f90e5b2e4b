/// What the driver keeps of one exchange until its stream is closed.
final class ExchangeRecord {
  let body: BodyChannel
  var task: Task<Void, Never>?
  /// The handler's write that waits for acknowledgements.
  var writer: CheckedContinuation<Void, any Error>?
  /// Why the client gets no more, if so.
  var failure: TransportError?
  var isFinished = false

  init(body: BodyChannel) {
    self.body = body
  }
}
