/// Why a WebSocket takes or gives no more messages: a code to decide on, a sentence to show, a cause to look into.
public struct WebSocketError: Error, CustomStringConvertible, Sendable {
  public enum Code: Hashable, Sendable {
    /// It is closed, or a close frame is on its way.
    case closed
    /// The client left without a close frame.
    case departed
    /// The client broke the protocol, sent what is too large, or was too slow with a message; it was told why.
    case violation
    /// The client answered no ping, or did not take what was written, in time.
    case unresponsive
    /// More was written at once than may wait for the client.
    case crowded
  }

  public let code: Code
  public let message: String
  public let cause: (any Error)?

  init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  public var description: String { message }
}
