import HTTPTypes
import Hummingbird
import Logging
import NIOCore

/// Runs a responder for one request of either kind of listener, so that both answer and log alike.
struct RequestPerformer<Responder: HTTPResponder>: Sendable
where Responder.Context: InitializableFromSource<ApplicationRequestContextSource> {
  let responder: Responder
  let journal: RequestJournal

  /// A response without its body sent, and its request's entry in the journal.
  struct Answer {
    var response: Response
    let entry: RequestJournal.Entry
  }

  /// - Parameter refusal: the status that stands in the place of the responder's response, if there is one.
  func respond(
    to request: Request, channel: any Channel, _ arrival: Arrival, refusal: HTTPResponse.Status? = nil
  ) async -> Answer {
    let entry = journal.begin(request, arrival, from: channel)
    // Hummingbird's `context.id` reads this key and traps without it.
    let contextLogger = Self.logger(entry.logger, with: "hb.request.id", .string(entry.id))
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
      entry.logger.log(level: error is CancellationError ? .debug : .error, "\(entry.summary) failed: \(error)")
      response = Response(
        status: .internalServerError, headers: [.contentType: "text/plain; charset=utf-8"],
        body: .init(byteBuffer: ByteBuffer(string: "Internal Server Error")))
    }
    if request.head.method == .head { response = Self.withoutContent(response) }
    journal.sign(&response.headers, of: entry)
    return Answer(response: response, entry: entry)
  }

  /// The response to HEAD: the fields of GET's and no content (RFC 9110 § 9.3.2), of which nothing is made either.
  private static func withoutContent(_ response: Response) -> Response {
    var head = response.createHeadResponse()
    if response.body.contentLength == nil { head.headers[.contentLength] = response.headers[.contentLength] }
    return head
  }

  /// A logger that has the metadata even where its handler keeps none.
  private static func logger(_ logger: Logger, with key: String, _ value: Logger.MetadataValue) -> Logger {
    var own = logger
    own[metadataKey: key] = value
    if own[metadataKey: key] != nil { return own }
    own = Logger(label: logger.label) { _ in RememberingLogHandler(logger) }
    own[metadataKey: key] = value
    return own
  }

  /// Logs how a request ended; `departure` is nil where the response is complete.
  func finish(_ answer: Answer, _ departure: Departure? = nil) {
    journal.finish(answer.entry, with: answer.response.status, departure)
  }
}
