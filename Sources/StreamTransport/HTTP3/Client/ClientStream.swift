import HTTPTypes

/// What a client's connection keeps of one request until its stream is closed.
final class ClientStream {
  let head = OneShot<HTTPResponse>()
  let body: BodyChannel
  /// Pulls the request's body.
  var upload: Task<Void, Never>?
  /// The upload that waits for room.
  var room: OneShot<Void>?

  init(body: BodyChannel) {
    self.body = body
  }

  /// Tells all who wait that the rest will not come; the first reason stands.
  func fail(_ error: any Error) {
    head.answer(.failure(error))
    body.finish(throwing: error)
    stopUpload()
  }

  func stopUpload() {
    upload?.cancel()
    room?.answer(.failure(CancellationError()))
    room = nil
  }
}
