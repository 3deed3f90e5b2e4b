import ResolveKitCore

/// A conversation's messages, of which each turn has one answer at most.
extension [ResolveKitChatMessage] {
  /// Changes the answer of a turn, wherever it stands: other messages may have come since it began.
  mutating func changeAnswer(of turnID: String, _ change: (inout String) -> Void) {
    if let index = answerIndex(of: turnID) { return change(&self[index].text) }
    var answer = ResolveKitChatMessage(id: turnID, role: .assistant, text: "")
    change(&answer.text)
    append(answer)
  }

  /// Shows a message; the whole answer of a turn takes the place of a part of it.
  mutating func show(_ message: ResolveKitChatMessage) {
    guard message.role == .assistant, let index = answerIndex(of: message.id) else { return append(message) }
    self[index] = message
  }

  private func answerIndex(of turnID: String) -> Int? {
    lastIndex { $0.role == .assistant && $0.id == turnID }
  }
}
