import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import StreamTransport

/// Runs a responder for one request of either kind of listener, so that both answer and log alike.
struct RequestPerformer<Responder: HTTPResponder>: Sendable
where Responder.Context: InitializableFromSource<ApplicationRequestContextSource> {
  let responder: Responder
  let logger: Logger
  let serverName: String?
  let date = HTTPDate()

  /// A response without its body sent, and the logger of its request.
  struct Answer {
    var response: Response
    let logger: Logger
    let started: ContinuousClock.Instant
    let summary: String
  }

  /// - Parameter refusal: the status that stands in the place of the responder's response, if there is one.
  func respond(
    to request: Request, channel: any Channel, transport: String, refusal: HTTPResponse.Status? = nil
  ) async -> Answer {
    let id = RequestID.of(request.head)
    var logger = logger
    logger[metadataKey: "x-request-id"] = .string(id)
    var contextLogger = logger
    // Hummingbird's `context.id` reads this key and traps without it.
    contextLogger[metadataKey: "hb.request.id"] = .string(id)
    let started = ContinuousClock.now
    // The path alone: a query may carry what does not belong into a log.
    let summary = "\(transport) \(request.method.rawValue) \(request.uri.path)"
    var response: Response
    do {
      response =
        if let refusal {
          Response(status: refusal)
        } else {
          try await responder.respond(
            to: request, context: Responder.Context(source: .init(channel: channel, logger: contextLogger)))
        }
    } catch {
      // A client that leaves is no fault of the server's.
      logger.log(level: error is CancellationError ? .debug : .error, "\(summary) failed: \(error)")
      response = Response(
        status: .internalServerError, headers: [.contentType: "text/plain; charset=utf-8"],
        body: .init(byteBuffer: ByteBuffer(string: "Internal Server Error")))
    }
    response.headers[RequestID.name] = id
    response.headers[.date] = date.now
    if let serverName, response.headers[.server] == nil { response.headers[.server] = serverName }
    return Answer(response: response, logger: logger, started: started, summary: summary)
  }

  /// Logs how a request ended.
  func finish(_ answer: Answer, error: (any Error)?) {
    let took = ContinuousClock.now - answer.started
    let status = answer.response.status.code
    if let error {
      answer.logger.info("\(answer.summary) \(status) left after \(took): \(error)")
    } else {
      answer.logger.info("\(answer.summary) \(status) in \(took)")
    }
  }
}
