import Hummingbird
import ResolveKitCore

/// A chat's history from codex's own files.
struct HistoryRoutes: Sendable {
  let services: CompanionServices

  func messages(_ request: Request, _ context: CompanionContext, _ device: Device) async throws -> Response {
    .data(.array(try await timeline(request, context, device).messages.map(\.json)))
  }

  func timeline(_ request: Request, _ context: CompanionContext, _ device: Device) async throws -> Response {
    .data(try await timeline(request, context, device).json)
  }

  private func timeline(
    _ request: Request, _ context: CompanionContext, _ device: Device
  ) async throws -> ChatTimeline {
    let id = try context.parameters.require("id")
    _ = try await services.directory.folder(of: id, for: device)
    let before = try Self.number("before", request)
    let limit = try Self.number("limit", request)
    // Before the history: what happens meanwhile is in the events, and may be in both.
    let (cursor, turnID) = try await services.hub.chat(id).latestTurn()
    let page = try await page(of: id, before: before, limit: limit)
    return before == nil ? page.followed(from: cursor, turnID: turnID) : page
  }

  private func page(of id: String, before: Int?, limit: Int?) async throws -> ChatTimeline {
    do {
      return try await services.history.timeline(of: id, before: before, limit: limit)
    } catch  where error.code == .notFound {
      // A chat that had no turn yet has no file.
      return ChatTimeline()
    }
  }

  private static func number(_ name: String, _ request: Request) throws(CompanionError) -> Int? {
    guard let text = request.uri.queryParameters[name[...]] else { return nil }
    guard let number = Int(text), number >= 0 else {
      throw CompanionError(.badRequest, "\(name) is a number of 0 or more.")
    }
    return number
  }
}
