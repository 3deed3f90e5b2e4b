/// The failure of a ``MultiProtocolServer`` to serve: a code to branch on, a sentence to show, a cause to look into.
public struct MultiProtocolError: Error, CustomStringConvertible, Sendable {
  /// The kind of failure, for a caller to decide on.
  public enum Code: Hashable, Sendable {
    /// The certificate or the key cannot be used.
    case certificate
    /// The TCP port cannot be bound.
    case tcp
    /// The UDP port cannot be bound.
    case udp
    /// The sockets that were passed are not one of TCP and one of UDP of the same port.
    case sockets
    /// The server was started before or is shut down.
    case state
    /// The access log cannot be written.
    case accessLog
  }

  /// The kind of failure.
  public let code: Code
  /// One sentence for a person, with the remedy where there is one.
  public let message: String
  /// The error underneath, where another library or the system reported one.
  public let cause: (any Error)?

  init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  /// That certificates and keys cannot be used.
  init(mismatch error: any Error) {
    self.init(
      .certificate, "The certificate and the private key cannot be used: \(error). Do they belong together?",
      cause: error)
  }

  public var description: String { message }
}
