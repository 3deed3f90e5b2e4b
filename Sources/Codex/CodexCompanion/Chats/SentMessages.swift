import ResolveKitCore

/// The messages that were sent under an id, so that one that is sent again starts no second turn.
///
/// codex says the id with the message's item (`clientId`), so the chat's own events hold it across a restart.
struct SentMessages: Sendable {
  private static let limit = 1_024

  private var turns: [String: String] = [:]
  private var order: [String] = []

  subscript(requestID: String) -> String? { turns[requestID] }

  mutating func take(_ requestID: String, turnID: String) {
    guard turns.updateValue(turnID, forKey: requestID) == nil else { return }
    order.append(requestID)
    if order.count > Self.limit { turns[order.removeFirst()] = nil }
  }

  /// Takes the id from a message's item.
  mutating func note(_ item: JSONObject, turnID: String) {
    guard item["type"]?.stringValue == "userMessage", let id = item["clientId"]?.stringValue else { return }
    take(id, turnID: turnID)
  }
}
