/// What the driver keeps of one exchange until its stream is closed.
final class ExchangeRecord {
  let body: BodyChannel
  var task: Task<Void, Never>?
  /// Writes that wait for acknowledgements; each made before it waits, so that no answer is missed.
  var rooms: [OneShot<Void>] = []
  /// Why the client gets no more, if so.
  var failure: TransportError?
  var isFinished = false

  init(body: BodyChannel) {
    self.body = body
  }
}
