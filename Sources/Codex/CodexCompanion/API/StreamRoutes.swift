import EventLedger
import HTTPTypes
import Hummingbird
import JSONService
import ResolveKitCore

/// A chat's event stream.
///
/// Without a cursor it begins with what happens from now on; with one, behind that event. The questions that wait are sent
/// to everybody.
struct StreamRoutes: Sendable {
  let services: CompanionServices

  private static let lastEventID = HTTPField.Name("last-event-id")

  private static let fields: HTTPFields = {
    var fields: HTTPFields = [.cacheControl: "no-store", .contentType: "text/event-stream; charset=utf-8"]
    // Keeps reverse proxies from collecting events before they pass them on.
    if let buffering = HTTPField.Name("x-accel-buffering") { fields[buffering] = "no" }
    return fields
  }()

  func stream(
    _ request: Request, _ context: CompanionContext, _ admission: DeviceAdmission
  ) async throws -> Response {
    // A browser that comes back repeats the address it began with; what it has by then stands in the field.
    let cursor =
      Self.lastEventID.flatMap { request.headers[$0] } ?? request.uri.queryParameters["cursor"].map(String.init)
    let stream = try await open(
      chatID: request.uri.queryParameters["chatId"].map(String.init), cursor: cursor, admission)
    return Response(status: .ok, headers: Self.fields, body: stream.body)
  }

  /// A stream for a device. Throws ``CompanionError``, and ``ChatError`` where the chat is not available.
  func open(chatID: String?, cursor: String?, _ admission: DeviceAdmission) async throws -> ChatStream {
    let device = admission.device
    guard let chatID, !chatID.isEmpty else { throw CompanionError(.badRequest, "Expected a chatId") }
    // Before it is looked up, so that nothing falls in between.
    let closing = services.closings.stream(of: chatID) { true }
    _ = try await services.directory.folder(of: chatID, for: device)
    let chat = try await services.hub.chat(chatID)
    guard let seat = services.streams.seats.take(for: device.id) else { throw CompanionError.tooManyStreams }
    let extent = try await services.ledger.extent(of: ChatLog.stream(of: chatID))
    return ChatStream(
      chatID: chatID, cursor: try Self.cursor(cursor, extent) ?? extent.last, open: await chat.openApprovals,
      feed: services.feed, now: services.now, clock: services.clock, keepAlive: services.keepAlive,
      term: StreamTerm(
        endings: [services.devices.revocation(of: device.id), closing],
        tokenLife: admission.expiresAt.map { .milliseconds(Int64($0) - services.now().microseconds / 1_000) }),
      logger: services.logger, seat: seat, budget: services.streams.budget)
  }

  private static func cursor(_ text: String?, _ extent: LedgerExtent) throws(CompanionError) -> Int64? {
    guard let text, !text.isEmpty else { return nil }
    guard let cursor = Int64(text), cursor >= 0 else {
      throw CompanionError(.badRequest, "A cursor is the id of an event of this stream.")
    }
    guard cursor >= extent.floor else {
      throw CompanionError(
        .gone, "Events up to \(extent.floor) are no longer kept. Read the timeline, and come back without a cursor.")
    }
    guard cursor <= extent.last else {
      throw CompanionError(
        .gone, "This stream ends at \(extent.last): the cursor is of another one. Come back without a cursor.")
    }
    return cursor
  }
}
