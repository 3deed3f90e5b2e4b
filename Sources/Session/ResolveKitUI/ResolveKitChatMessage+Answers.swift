import ResolveKitCore

/// A conversation's messages, of which each turn has one answer at most.
extension [ResolveKitChatMessage] {
  /// Messages of one conversation that are kept.
  static var conversationLimit: Int { 2_000 }

  /// Changes the answer of a turn, wherever it stands: other messages may have come since it began.
  mutating func changeAnswer(of turnID: String, _ change: (inout String) -> Void) {
    if let index = answerIndex(of: turnID) { return change(&self[index].text) }
    var answer = ResolveKitChatMessage(id: turnID, role: .assistant, text: "")
    change(&answer.text)
    add(answer)
  }

  /// Appends a message. Of a long conversation the oldest messages go, a tenth of them at once.
  mutating func add(_ message: ResolveKitChatMessage) {
    append(message)
    if count > Self.conversationLimit { removeFirst(count - Self.conversationLimit * 9 / 10) }
  }

  /// Shows a message; the whole answer of a turn takes the place of a part of it.
  mutating func show(_ message: ResolveKitChatMessage) {
    guard message.role == .assistant, let index = answerIndex(of: message.id) else { return add(message) }
    self[index] = message
  }

  private func answerIndex(of turnID: String) -> Int? {
    lastIndex { $0.role == .assistant && $0.id == turnID }
  }
}
