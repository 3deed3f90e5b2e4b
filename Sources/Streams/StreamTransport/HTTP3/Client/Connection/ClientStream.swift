import HTTP3Engine
import HTTPTypes

/// The state that a client's connection keeps of one request until its stream is closed.
final class ClientStream {
  let head = OneShot<HTTPResponse>()
  let body: BodyChannel
  /// The responses before the final one; the engine gives up a stream that brings too many.
  var interimResponses: [HTTPResponse] = []
  /// The fields after the body.
  var trailers: HTTPFields?
  /// Pulls the request's body.
  var upload: Task<Void, Never>?
  /// The part of the upload that is written and not sent.
  var outbox: BodyOutbox?

  init(body: BodyChannel) {
    self.body = body
  }

  func receiveInterim(_ fields: [HeaderField]) {
    if let response = FieldMapping.response(from: fields) { interimResponses.append(response) }
  }

  func receiveTrailers(_ fields: [HeaderField]) {
    trailers = FieldMapping.regularFields(of: fields)
  }

  func finishBody() {
    body.finish(trailers: trailers)
  }

  /// Tells all who wait that the rest will not come; the first reason stands.
  func fail(_ error: any Error) {
    head.answer(.failure(error))
    body.finish(throwing: error)
    stopUpload()
  }

  func stopUpload() {
    upload?.cancel()
    outbox?.fail(CancellationError())
  }
}
