import HTTPTypes
import Hummingbird
import JSONService
import ResolveKitCore

/// The session's event stream.
struct EventRoutes: Sendable {
  let services: BackendServices

  private static let fields: HTTPFields = {
    var fields: HTTPFields = [.cacheControl: "no-cache", .contentType: "text/event-stream; charset=utf-8"]
    // Keeps reverse proxies from collecting events before they pass them on.
    if let buffering = HTTPField.Name("x-accel-buffering") { fields[buffering] = "no" }
    return fields
  }()

  private static let lastEventID = HTTPField.Name("last-event-id")

  func stream(_ request: Request, _ context: BackendContext) async throws -> Response {
    let admission = Admission(services: services)
    try admission.checkKey(request)
    let (id, cursor) = try input(request, context)
    let session = try await admission.session(id, request)
    try admission.checkReadable(session)
    let extent = try await services.log.extent(of: session.id)
    if let cursor, services.settings.compatibility == .strict { try await checkKept(cursor, extent, session) }
    guard let seat = services.seats.take(for: session.id) else { throw APIError.tooManyStreams }
    let wanted = cursor?.id ?? .beginning
    let stream = EventStreamResponse(
      sessionID: session.id, cursor: wanted, start: min(max(wanted, extent.floor), extent.last), feed: services.feed,
      settings: services.settings, faults: services.faults.stream, clock: services.clock, logger: services.logger,
      seat: seat, budget: services.budget)
    return Response(status: .ok, headers: Self.fields, body: stream.body)
  }

  /// The cursor is the query's; `Last-Event-ID` serves clients that know event streams but not this contract.
  private func input(
    _ request: Request, _ context: BackendContext
  ) throws(APIError) -> (id: String, cursor: HistoryCursor?) {
    var issues: [ValidationIssue] = []
    var sessionID = ""
    switch Admission.identifier("session_id", context) {
    case .success(let id): sessionID = id
    case .failure(let failure): issues.append(failure.issue)
    }
    var place: [JSONValue] = ["query", "cursor"]
    var text = request.uri.queryParameters["cursor"].map(String.init)
    if text == nil, let name = Self.lastEventID {
      place = ["header", "last-event-id"]
      text = request.headers[name]
    }
    let cursor = text.flatMap { services.settings.eventIDs.cursor($0) }
    if let text, cursor == nil {
      issues.append(
        ValidationIssue(
          type: "value_error", location: place, message: "Value error, cursor is no event id of this server",
          input: .string(text)))
    }
    guard issues.isEmpty else { throw APIError.invalid(issues) }
    return (sessionID, cursor)
  }

  private func checkKept(_ cursor: HistoryCursor, _ extent: EventExtent, _ session: StoredSession) async throws {
    if cursor.id < extent.floor {
      guard extent.floor == session.importedFloor else { throw APIError.cursorExpired(floor: extent.floor) }
      return
    }
    if cursor.id > extent.last { throw APIError.cursorUnknown(last: extent.last) }
    guard try await services.log.has(cursor, of: session.id) else { throw APIError.cursorReplaced }
  }
}
