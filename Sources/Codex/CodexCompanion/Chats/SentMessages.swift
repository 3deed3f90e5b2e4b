import ResolveKitCore

/// The messages that were sent under an id, so that one that is sent again starts no second turn and gets the same answer.
///
/// codex says the id with the message's item (`clientId`), so the chat's own events hold it across a restart.
struct SentMessages: Sendable {
  private static let limit = 1_024

  private var receipts: [String: Chat.Receipt] = [:]
  private var order: [String] = []
  /// The turn of the last message that codex reported: its first one began it.
  private var lastTurnID: String?

  subscript(requestID: String) -> Chat.Receipt? { receipts[requestID] }

  mutating func take(_ requestID: String, _ receipt: Chat.Receipt) {
    guard receipts[requestID] == nil else { return }
    receipts[requestID] = receipt
    order.append(requestID)
    if order.count > Self.limit { receipts[order.removeFirst()] = nil }
  }

  /// Takes the id from a message's item.
  mutating func note(_ item: JSONObject, turnID: String) {
    guard item["type"]?.stringValue == "userMessage" else { return }
    let mode: Chat.Receipt.Mode = lastTurnID == turnID ? .steered : .started
    lastTurnID = turnID
    if let id = item["clientId"]?.stringValue { take(id, Chat.Receipt(turnID: turnID, mode: mode)) }
  }
}
