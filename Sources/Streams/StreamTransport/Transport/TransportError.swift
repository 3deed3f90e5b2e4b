/// The failure of a request or a connection: a code to branch on, a sentence to show, a cause to look into.
public struct TransportError: Error, CustomStringConvertible, Sendable {
  /// The kind of an error, for a caller to decide on; metrics name it by its raw value.
  public enum Code: String, Hashable, CaseIterable, Sendable {
    /// The host's name has no address.
    case nameNotFound
    /// Nothing listens at the address, or the network refuses to carry packets to it.
    case connectionRefused
    /// The network or the host cannot be reached.
    case unreachable
    /// No connection within the time allowed.
    case connectTimeout
    /// The server's certificate was not accepted.
    case certificateRejected
    /// TLS failed for another reason than the certificate.
    case tls
    /// The connection ended while it was needed, gracefully or not.
    case connectionLost
    /// Nothing came from the peer for the idle time.
    case idleTimeout
    /// The connection's path fell silent, and another connection to the same server has taken its place.
    case superseded
    /// The server did not process the request, so it may be sent again at once.
    case notProcessed
    /// The server reset the response's stream before its end.
    case streamReset
    /// The peer broke the protocol.
    case protocolViolation
    /// The request cannot be sent as it is, such as plaintext to another host than this one.
    case invalidRequest
    /// A size limit was passed.
    case limitExceeded
    /// The caller cancelled, or closed the transport.
    case cancelled
  }

  /// The kind of failure.
  public var code: Code
  /// One sentence for a person, with the remedy where there is one.
  public var message: String
  /// The QUIC, TLS or HTTP/3 error code in its standard spelling, such as `H3_REQUEST_REJECTED`, where there is one.
  public var wireCode: String?
  /// The error underneath, where another library or the system reported one.
  public var cause: (any Error)?

  /// Creates an error; `message` names the remedy where there is one.
  public init(
    _ code: Code, _ message: String, wireCode: String? = nil, cause: (any Error)? = nil
  ) {
    self.code = code
    self.message = message
    self.wireCode = wireCode
    self.cause = cause
  }

  public var description: String {
    wireCode.map { "\(message) (\($0))" } ?? message
  }

  /// Whether the server ended the connection gracefully, or goes away and left the request undone.
  package var isGracefulClose: Bool {
    switch code {
    case .notProcessed: true
    case .connectionLost: wireCode == "H3_NO_ERROR" || wireCode == "NO_ERROR"
    case .nameNotFound, .connectionRefused, .unreachable, .connectTimeout, .certificateRejected, .tls, .idleTimeout,
      .superseded, .streamReset, .protocolViolation, .invalidRequest, .limitExceeded, .cancelled:
      false
    }
  }
}
