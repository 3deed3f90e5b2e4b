import ResolveKitCore

/// An event of a chat.
enum RemoteEvent: Equatable, Sendable {
  /// An item of a turn; ids are a model's own, and may come again in another turn.
  struct Item: Equatable, Sendable {
    let turnID: String
    let item: JSONObject
  }

  case turnStarted(turnID: String)
  /// - continues: whether another turn is to answer the last message, which this one did not.
  case turnCompleted(turnID: String, status: String, error: String?, continues: Bool)
  case itemStarted(Item)
  case itemCompleted(Item)
  case messageDelta(RemoteEntryID, text: String)
  case error(message: String, willRetry: Bool)
  case approvalRequired(RemoteApproval)
  case approvalCleared(ids: [String], reason: String)
  /// One of a later version of the companion.
  case unknown(String)

  /// Reads a frame: `{"event", "chatId", "payload", "timestamp"}`. Throws `JSONError` for anything else; no input traps.
  init(frame text: String) throws(JSONError) {
    guard let frame = try JSONValue(parsing: text).objectValue, let name = frame["event"]?.stringValue else {
      throw JSONError(.unexpectedShape, "an event has no name")
    }
    let payload = frame["payload"]?.objectValue ?? [:]
    guard let event = Self.event(name, payload) else {
      throw JSONError(.unexpectedShape, "the event \(String(name.prefix(40)).visible) lacks a member")
    }
    self = event
  }

  private static func event(_ name: String, _ payload: JSONObject) -> RemoteEvent? {
    let turn = payload["turn"]?.objectValue
    switch name {
    case "turn_started": return id(turn?["id"]).map { .turnStarted(turnID: $0) }
    case "turn_completed":
      return id(turn?["id"]).map {
        .turnCompleted(
          turnID: $0, status: turn?["status"]?.stringValue ?? "completed",
          error: turn?["error"]?.objectValue?["message"]?.stringValue,
          continues: payload["continues"]?.boolValue ?? false)
      }
    case "item_started": return item(payload).map { .itemStarted($0) }
    case "item_completed": return item(payload).map { .itemCompleted($0) }
    case "message_delta":
      guard let turnID = id(payload["turnId"]), let itemID = id(payload["itemId"]),
        let text = payload["delta"]?.stringValue
      else { return nil }
      return .messageDelta(RemoteEntryID(turnID: turnID, itemID: itemID), text: text)
    case "error":
      return .error(
        message: payload["error"]?.objectValue?["message"]?.stringValue ?? "codex reported an error",
        willRetry: payload["willRetry"]?.boolValue ?? false)
    case "approval_required": return RemoteApproval(json: payload).map { .approvalRequired($0) }
    case "approval_cleared":
      return .approvalCleared(
        ids: payload["ids"]?.arrayValue?.compactMap(\.stringValue) ?? [],
        reason: payload["reason"]?.stringValue ?? "It was answered elsewhere, or codex waits for it no more.")
    default: return .unknown(name)
    }
  }

  private static func item(_ payload: JSONObject) -> Item? {
    guard let turnID = id(payload["turnId"]), let item = payload["item"]?.objectValue, id(item["id"]) != nil else {
      return nil
    }
    return Item(turnID: turnID, item: item)
  }

  private static func id(_ value: JSONValue?) -> String? {
    guard let text = value?.stringValue, (1...200).contains(text.utf8.count) else { return nil }
    return text
  }
}
