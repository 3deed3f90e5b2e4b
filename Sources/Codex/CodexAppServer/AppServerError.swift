/// A failure of a call to codex, or of its process.
package struct AppServerError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The failure, for callers that branch on it.
  package enum Code: Hashable, Sendable {
    /// Codex answered the call with an error.
    case refused(AppServerRefusal)
    /// No answer came within the call's time. What was asked for may have been done all the same.
    case timedOut
    /// Too many calls wait for their turn.
    case tooManyCalls
    /// No process answers at the socket.
    case unreachable
    /// The connection broke off, or codex ended it.
    case connectionLost
    /// The connection was closed from here.
    case closed
    /// Codex broke the rules of WebSocket or of HTTP.
    case protocolViolation
    /// One message is not what the protocol has.
    case malformed
    /// A message is longer than the limit.
    case tooLarge
    /// There is no program codex.
    case notFound
    /// Codex is older than what is needed.
    case tooOld
    /// Codex could not be started, or ended before it could be used.
    case startFailed
    /// The folder of the socket cannot be used.
    case unusableFolder
  }

  package let code: Code
  /// A sentence with the remedy.
  package let message: String
  /// The error of the layer below.
  package let cause: String?

  package init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.cause = cause.map { "\($0)" }
  }

  package var description: String {
    if let cause { "\(message) (\(cause))" } else { message }
  }
}
