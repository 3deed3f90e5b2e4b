import ResolveKitCore

/// Events that codex does not report, in its form.
extension ChatEvent {
  /// The end of a turn.
  init(interrupted turnID: String, of chatID: String) {
    self.init(
      .turnCompleted,
      ["threadId": .string(chatID), "turn": ["id": .string(turnID), "items": [], "status": "interrupted"]])
  }

  /// The end of an item that does not end well, or that nobody allowed.
  init(unfinished item: JSONObject, _ ref: ChatNotice.ItemRef, of chatID: String, isBegun: Bool = true) {
    var item = item
    item["status"] = isBegun ? "failed" : "declined"
    self.init(
      .itemCompleted,
      ["threadId": .string(chatID), "turnId": .string(ref.turnID), "item": .object(item), "interrupted": true])
  }

  /// Questions that nobody has to answer any more.
  init(cleared ids: [String], _ reason: String) {
    self.init(.approvalCleared, ["ids": .array(ids.map { .string($0) }), "reason": .string(reason)])
  }

  /// A failure that codex does not try to mend.
  init(failure reason: String, of turnID: String, in chatID: String) {
    self.init(
      .error,
      [
        "threadId": .string(chatID), "turnId": .string(turnID), "willRetry": false,
        "error": ["message": .string(reason)],
      ])
  }
}
