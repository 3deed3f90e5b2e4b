import EventLedger
import EventStream
import HTTPTypes
import Hummingbird
import JSONService
import NIOCore
import ResolveKitCore

/// `GET …/workers/{id}/stream`.
struct StreamRoute: Sendable {
  let services: RuntimeServices

  /// The contract's longest tail, in milliseconds, and the one where none is asked for.
  private static let longestTail: Int64 = 120_000
  private static let tail: Int64 = 1_000
  /// The attempts of the contract's proxy on the runtime behind it, and the time between two.
  private static let attempts = 3
  private static let retryPause = Duration.milliseconds(200)

  private static let lastEventID = HTTPField.Name("last-event-id")
  private static let prefer = HTTPField.Name("prefer")
  private static let applied = HTTPField.Name("preference-applied")

  private static let fields: HTTPFields = {
    var fields: HTTPFields = [.contentType: "text/event-stream", .cacheControl: "no-cache, no-transform"]
    // Keeps reverse proxies from collecting events before they pass them on.
    if let buffering = HTTPField.Name("x-accel-buffering") { fields[buffering] = "no" }
    return fields
  }()

  func stream(_ request: Request, _ context: RuntimeContext, _ user: Principal) async throws -> Response {
    let id = try WorkerRoutes.id(context)
    var validation = Validation()
    let query = validation.integer(request.uri.queryParameters["cursor"], "cursor", in: 0...Int64.max)
    let tail = validation.integer(request.uri.queryParameters["tail_ms"], "tail_ms", in: 1...Self.longestTail)
    try validation.check()
    // The worker's owner is checked before the cursor.
    _ = try await services.registry.snapshot(of: id, for: user.id)
    switch services.dialect {
    case .runtime:
      let isEndless = Self.waits(request)
      let stream = try await open(id, request, query: query, tail: isEndless ? nil : tail ?? Self.tail, user)
      var fields = Self.fields
      if isEndless, let name = Self.applied { fields[name] = "wait" }
      return Response(status: .ok, headers: fields, body: stream.body)
    case .laravel: return try await proxied(id, request, query: query, tail: tail ?? Self.tail, user, context)
    }
  }

  /// The contract's proxy: it has sent 200 already, tries again, and reports a failure by an event.
  private func proxied(
    _ id: WorkerID, _ request: Request, query: Int64?, tail: Int64, _ user: Principal, _ context: RuntimeContext
  ) async throws -> Response {
    var status = 502
    for attempt in 1...Self.attempts {
      do {
        let stream = try await open(id, request, query: query, tail: tail, user)
        return Response(status: .ok, headers: Self.fields, body: stream.body)
      } catch let error as CancellationError {
        throw error
      } catch {
        status = APIFault(for: error, of: "\(request.method) \(request.uri.path)", context.logger).status.code
      }
      if attempt < Self.attempts { try await services.clock.sleep(for: Self.retryPause) }
    }
    return Self.failure(status)
  }

  private func open(
    _ id: WorkerID, _ request: Request, query: Int64?, tail: Int64?, _ user: Principal
  ) async throws -> WorkerStream {
    var field: Int64?
    if let name = Self.lastEventID, let text = request.headers[name], !text.isEmpty {
      field = try StreamCursor.parse(text, "Last-Event-ID")
    }
    let extent = try await services.storage.ledger.extent(of: StreamNames.events(of: id))
    let cursor = try StreamCursor(query: query, field: field, extent: extent)
    guard let seat = services.seats.take(for: user.id) else {
      throw APIFault(
        .tooManyRequests, "conflict", "too many event streams are open; close one", headers: [.retryAfter: "1"])
    }
    let accounts = services.accounts
    return WorkerStream(
      worker: id, cursor: cursor,
      ending: tail.map { .after(.milliseconds($0), reaching: extent.last) } ?? .never(keepAlive: services.keepAlive),
      feed: services.storage.feed, clock: services.clock,
      recheck: { try accounts.recheck(user) }, logger: services.logger, seat: seat, budget: services.budget)
  }

  /// Whether the client prefers a stream without an end (RFC 7240 § 2).
  private static func waits(_ request: Request) -> Bool {
    guard let name = prefer else { return false }
    return request.headers[values: name].flatMap { $0.split(separator: ",") }.contains { preference in
      let token = preference.prefix { $0 != ";" && $0 != "=" }
      return token.lowercased().filter { !$0.isWhitespace } == "wait"
    }
  }

  private static func failure(_ status: Int) -> Response {
    let data: JSONValue = [
      "error": [
        "code": "runtime_codex_stream_failed",
        "message": .string("runtime codex stream returned HTTP \(status)"),
      ]
    ]
    let block = EventStreamWriter.encode(bytes: data.serialized(), type: "error")
    return Response(status: .ok, headers: fields, body: .init(byteBuffer: ByteBuffer(bytes: block)))
  }
}
