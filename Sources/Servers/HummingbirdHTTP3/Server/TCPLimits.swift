/// Limits on a server's TCP clients (HTTP/1.1 and HTTP/2). Names that occur in `HTTP3Limits` too mean the same.
public struct TCPLimits: Hashable, Sendable {
  /// Connections held at once; more wait in the kernel's queue.
  public var maximumConnections: Int
  /// Time that a client has for its whole TLS handshake.
  public var handshakeTimeout: Duration
  /// Time after the last bytes of a request after which a connection, or a stream of HTTP/2, is closed, unless the request
  /// is complete and its response still runs.
  ///
  /// It also applies while a handler leaves the rest of a large body unread, or answers while the body continues: make it
  /// longer than any such pause. A client of HTTP/2 gets GOAWAY and PING first, and its connection is closed once it has
  /// answered.
  public var idleTimeout: Duration
  /// Time for which a client may take nothing of a response that is being written, after which its connection, or its
  /// stream of HTTP/2, is closed.
  public var writeTimeout: Duration

  /// Creates limits; the handshake has 10 s, silence and a response that is not taken 60 s.
  public init(
    maximumConnections: Int = 1_000, handshakeTimeout: Duration = .seconds(10), idleTimeout: Duration = .seconds(60),
    writeTimeout: Duration = .seconds(60)
  ) {
    self.maximumConnections = maximumConnections
    self.handshakeTimeout = handshakeTimeout
    self.idleTimeout = idleTimeout
    self.writeTimeout = writeTimeout
  }
}
