/// An error of a chat: a code to branch on, a sentence to show, a cause.
package struct ChatError: Error, Equatable, CustomStringConvertible {
  package enum Code: String, Sendable {
    /// There is no such approval, or no more.
    case unknownApproval
    /// The approval was decided before.
    case answered
    /// codex was lost, and has not asked again.
    case unconfirmed
    /// The approval takes no such answer.
    case unsupportedAnswer
    case unknownChat
    case unknownProject
    /// A device asks for too many chats that are not known.
    case tooMany
    /// codex said no; the message is its own.
    case refused
    /// codex does not run, or did not answer in time.
    case unavailable
    /// The limit of what may be under way is reached.
    case busy
  }

  package let code: Code
  let message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  static let chatNotFound = ChatError(.unknownChat, "Chat not found")

  package var description: String { message }
}

extension ChatError {
  /// The error of codex's call.
  init(_ error: any Error) {
    switch error {
    case let error as ChatError: self = error
    case let error as CodexCallError:
      switch error.code {
      case .refused: self.init(.refused, "Codex refuses it: \(error.message)")
      case .unavailable, .timedOut, .busy: self.init(.unavailable, error.message)
      }
    default: self.init(.unavailable, "\(error)")
    }
  }
}
