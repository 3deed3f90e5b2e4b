import HTTPTypes
import Hummingbird
import Logging
import StreamTransport

/// A server's log of each request, and the fields by which it signs each response.
struct RequestJournal: Sendable {
  /// A request that has begun.
  struct Entry: Sendable {
    let id: String
    let logger: Logger
    let started: ContinuousClock.Instant
    let summary: String
  }

  let logger: Logger
  let serverName: String?
  let date = HTTPDate()

  func begin(_ request: Request, transport: String) -> Entry {
    let id = RequestID.of(request.head)
    var logger = logger
    logger[metadataKey: "x-request-id"] = .string(id)
    // The path alone: a query may carry what does not belong into a log.
    let summary = "\(transport) \(request.method.rawValue) \(request.uri.path)"
    return Entry(id: id, logger: logger, started: .now, summary: summary)
  }

  /// Adds the fields that every response has.
  func sign(_ fields: inout HTTPFields, of entry: Entry) {
    fields[RequestID.name] = entry.id
    fields[.date] = date.now
    if let serverName, fields[.server] == nil { fields[.server] = serverName }
  }

  /// Logs how a request ended.
  func finish(_ entry: Entry, with status: HTTPResponse.Status, error: (any Error)?) {
    let took = ContinuousClock.now - entry.started
    if let error {
      entry.logger.info("\(entry.summary) \(status.code) left after \(took): \(error)")
    } else {
      entry.logger.info("\(entry.summary) \(status.code) in \(took)")
    }
  }
}
