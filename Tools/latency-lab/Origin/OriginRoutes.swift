import HTTPTypes
import Hummingbird
import NIOCore

/// The origin's routes.
///
/// | request | answer |
/// |---|---|
/// | `GET /ready` | 204 |
/// | `GET /stream/{index}?start={ns}&from={sequence}` | the stream's events from that one on, each at its time |
/// | `POST /tool/{index}?start={ns}` | 204; the stream's later events may now be written |
/// | `GET /bytes?count={bytes}` | that many bytes |
///
/// And the same below `/o`, for servers that pass the path on as it is.
struct OriginRoutes: Sendable {
  let plan: ClientPlan
  let timer: PreciseTimer
  let tools = ToolArrivals()
  let aborts = StreamAborts()
  var marker: TokenMarker?

  /// A start that is further away than this belongs to another clock.
  private static let longestDistance = Int64(Workload.Limits.seconds * 2e9)
  /// The time after a client's deadline at which its streams end, in nanoseconds.
  private static let grace: Int64 = 1_000_000_000

  private static let streamFields: HTTPFields = {
    var fields: HTTPFields = [.cacheControl: "no-store", .contentType: "text/event-stream"]
    // Keeps reverse proxies from collecting events before they pass them on.
    if let buffering = HTTPField.Name("x-accel-buffering") { fields[buffering] = "no" }
    return fields
  }()

  private static let lastEventID = HTTPField.Name("last-event-id")

  func makeRouter() -> Router<BasicRequestContext> {
    let router = Router()
    router.get("ready") { _, _ in Response(status: .noContent) }
    for group in [router.group(), router.group(RouterPath(StreamClientRules.folder))] {
      group.get("stream/:index") { request, context in try stream(request, context) }
      group.post("tool/:index") { request, context in try tool(request, context) }
      group.get("bytes") { request, _ in try bytes(request) }
    }
    return router
  }

  private func stream(_ request: Request, _ context: BasicRequestContext) throws(HTTPError) -> Response {
    let index = try index(context)
    let start = try start(request)
    let paced = PacedStream(
      stream: index, start: start, from: try from(request), offsets: plan.offsetsNanoseconds[index],
      toolSequence: plan.toolSequence, abortSequence: plan.abortSequence,
      eventBytes: plan.eventBytes ?? Workload.defaultEventBytes,
      deadline: start + plan.deadlineNanoseconds + Self.grace, timer: timer, tools: tools, aborts: aborts,
      marker: marker)
    return Response(status: .ok, headers: Self.streamFields, body: paced.body)
  }

  private func tool(_ request: Request, _ context: BasicRequestContext) throws(HTTPError) -> Response {
    let key = ToolArrivals.Key(start: try start(request), stream: try index(context))
    tools.arrive(key)
    return Response(status: .noContent)
  }

  private func bytes(_ request: Request) throws(HTTPError) -> Response {
    let count = request.uri.queryParameters["count"].flatMap { Int($0) } ?? 0
    guard (1...Workload.Limits.downloadBytes).contains(count) else {
      throw HTTPError(.badRequest, message: "count is 1 to \(Workload.Limits.downloadBytes).")
    }
    let body = ResponseBody(contentLength: count) { writer in
      let chunk = ByteBuffer(repeating: UInt8(ascii: "."), count: min(count, 64 << 10))
      var left = count
      while left > 0 {
        let part = min(left, chunk.readableBytes)
        try await writer.write(chunk.getSlice(at: chunk.readerIndex, length: part) ?? chunk)
        left -= part
      }
      try await writer.finish(nil)
    }
    return Response(
      status: .ok, headers: [.contentType: "application/octet-stream", .cacheControl: "no-store"], body: body)
  }

  // MARK: What a request says

  private func index(_ context: BasicRequestContext) throws(HTTPError) -> Int {
    guard let index = context.parameters.get("index").flatMap({ Int($0) }),
      plan.offsetsNanoseconds.indices.contains(index)
    else { throw HTTPError(.notFound, message: "The schedule has streams 0 to \(plan.offsetsNanoseconds.count - 1).") }
    return index
  }

  private func start(_ request: Request) throws(HTTPError) -> Int64 {
    let now = PreciseTimer.now
    guard let start = request.uri.queryParameters["start"].flatMap({ Int64($0) }),
      start > now - Self.longestDistance, start < now + Self.longestDistance
    else {
      throw HTTPError(
        .badRequest,
        message: "start is a time of this machine's CLOCK_MONOTONIC in nanoseconds, where it is \(now) now.")
    }
    return start
  }

  /// The query's or the field's word, whichever is further.
  private func from(_ request: Request) throws(HTTPError) -> Int {
    var from = 0
    if let text = request.uri.queryParameters["from"] {
      guard let value = Int(text), value >= 0 else {
        throw HTTPError(.badRequest, message: "from is the sequence to begin with, 0 or more.")
      }
      from = value
    }
    if let name = Self.lastEventID, let last = request.headers[name].flatMap({ Int($0) }), (0..<Int.max).contains(last)
    {
      from = max(from, last + 1)
    }
    return from
  }
}
