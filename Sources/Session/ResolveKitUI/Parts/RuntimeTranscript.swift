import Observation
import ResolveKitCore

/// The messages of a conversation, and those of a session that the server no longer has.
@MainActor
@Observable
final class RuntimeTranscript {
  private(set) var messages: [ResolveKitChatMessage] = []
  @ObservationIgnored private(set) var forgotten: [ResolveKitChatMessage] = []

  /// Shows the message of a turn. A turn that ended with a connection and continues with the next one is shown already.
  func beginTurn(requestID: String, text: String) {
    guard !messages.contains(where: { $0.id == requestID }) else { return }
    messages.add(ResolveKitChatMessage(id: requestID, role: .user, text: text))
  }

  /// Appends to the answer of a turn.
  func append(_ text: String, toAnswerOf turnID: String) {
    messages.changeAnswer(of: turnID) { $0 += text }
  }

  /// Replaces the answer of a turn.
  func correctAnswer(of turnID: String, to text: String) {
    messages.changeAnswer(of: turnID) { $0 = text }
  }

  func show(_ message: ResolveKitChatMessage) { messages.show(message) }

  /// Marks the messages as forgotten by the server, without one that waits for its turn: it goes to the new session itself.
  func forget(isTurnInProgress: Bool) {
    forgotten = isTurnInProgress && messages.last?.role == .user ? messages.dropLast() : messages
  }

  func clear() {
    messages = []
    forgotten = []
  }
}
