/// Why a ``MultiProtocolServer`` does not serve: a code to decide on, a sentence to show, a cause to look into.
public struct MultiProtocolError: Error, CustomStringConvertible, Sendable {
  public enum Code: Hashable, Sendable {
    /// The certificate or the key cannot be used.
    case certificate
    /// The TCP port cannot be bound.
    case tcp
    /// The UDP port cannot be bound.
    case udp
    /// The server was started before or is shut down.
    case state
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
