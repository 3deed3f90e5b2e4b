import ResolveKitCore

/// The message that a turn took up behind others, with nothing said or done since.
///
/// codex 0.163 takes a steer as its turn ends, adds it to the turn, and does not ask the model again. Another turn
/// answers it.
struct UnansweredMessage: Sendable {
  private var turnID: String?
  /// The turn's own message, which is answered by the turn however short.
  private var firstItemID: String?
  private var lastIsMessage = false
  /// The turn that ended without an answer, while none has begun since.
  private(set) var owedBy: String?

  mutating func turnStarted() { self = UnansweredMessage() }

  /// An item began or completed.
  mutating func note(_ item: JSONObject, turnID: String) {
    guard let id = item["id"]?.stringValue else { return }
    if self.turnID != turnID {
      self.turnID = turnID
      firstItemID = id
    }
    lastIsMessage = item["type"]?.stringValue == "userMessage" && id != firstItemID
  }

  /// Returns whether its last message has no answer. A turn that was stopped, or failed, owes none.
  mutating func turnEnded(_ turnID: String, isWell: Bool) -> Bool {
    let isOwed = isWell && self.turnID == turnID && lastIsMessage
    self = UnansweredMessage()
    if isOwed { owedBy = turnID }
    return isOwed
  }

  /// Takes up the end of a turn from before a restart.
  mutating func restore(owedBy turnID: String) { owedBy = turnID }

  /// No turn is going to answer. Returns the turn that owed the answer.
  mutating func giveUp() -> String? {
    defer { owedBy = nil }
    return owedBy
  }
}
