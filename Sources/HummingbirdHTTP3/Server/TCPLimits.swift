/// What the TCP clients (HTTP/1.1 and HTTP/2) of a server may take of it; names that it shares with `HTTP3Limits` mean the
/// same.
public struct TCPLimits: Hashable, Sendable {
  /// Connections held at once; more wait in the kernel's queue.
  public var maximumConnections: Int
  /// Time that a client has for its whole TLS handshake.
  public var handshakeTimeout: Duration
  /// Time after the last bytes of a request after which a connection, or a stream of HTTP/2, is closed, unless the request
  /// has come whole and its response still runs.
  ///
  /// It counts too while a handler leaves the rest of a large body unread, or answers while the body goes on: make it
  /// longer than any such pause. A client of HTTP/2 is told first (GOAWAY and PING), and its connection is closed once it has answered.
  public var idleTimeout: Duration

  /// Creates limits; the handshake has 10 s, silence 60 s.
  public init(
    maximumConnections: Int = 1_000, handshakeTimeout: Duration = .seconds(10), idleTimeout: Duration = .seconds(60)
  ) {
    self.maximumConnections = maximumConnections
    self.handshakeTimeout = handshakeTimeout
    self.idleTimeout = idleTimeout
  }
}
