/// The end of a WebSocket's messages by a failure: a code to branch on, a sentence to show, a cause to look into.
public struct WebSocketError: Error, CustomStringConvertible, Sendable {
  /// The kind of failure, for a handler to decide on.
  public enum Code: Hashable, Sendable {
    /// It is closed, or a close frame is on its way.
    case closed
    /// The client left without a close frame.
    case departed
    /// The client broke the protocol, sent what is too large, or was too slow with a message; the close frame says why.
    case violation
    /// The client answered no ping, or did not take what was written, in time.
    case unresponsive
    /// More was written at once than may wait for the client.
    case crowded
  }

  /// The kind of failure.
  public let code: Code
  /// One sentence for a person or a log.
  public let message: String
  /// The error underneath, where another library or the system reported one.
  public let cause: (any Error)?

  init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  public var description: String { message }
}
