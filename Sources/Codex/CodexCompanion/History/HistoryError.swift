/// The failure to read a history: a code to branch on, a sentence to show, a cause to look into.
package struct HistoryError: Error, CustomStringConvertible, Sendable {
  package enum Code: Hashable, Sendable {
    /// The id is none of a chat.
    case invalidID
    /// The chat has no rollout: it had no turn yet, or there is no such chat.
    case notFound
    /// A file or folder cannot be used.
    case unreadable
    /// Too many histories are read at once.
    case busy
    /// Nobody waits for it any more.
    case cancelled
  }

  package let code: Code
  package let message: String
  package let cause: (any Error)?

  init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  package var description: String { message }
}
