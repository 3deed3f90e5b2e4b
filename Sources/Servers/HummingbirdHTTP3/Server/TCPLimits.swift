/// Limits on a server's TCP clients (HTTP/1.1 and HTTP/2). Names that occur in `HTTP3Limits` too mean the same.
public struct TCPLimits: Hashable, Sendable {
  /// Connections held at once. One beyond it takes the place of the newest of the IPv4 address, or IPv6 site (/56), that has
  /// most, if that has at least two more than its own; else it is closed.
  public var maximumConnections: Int
  /// Requests of HTTP/2 held at once, of all connections; one connection has a hundred at most. For one beyond it holds the
  /// same: another one's stream, or its own, is reset.
  public var maximumRequests: Int
  /// Time that a client has for its whole TLS handshake.
  public var handshakeTimeout: Duration
  /// Time after the last bytes of a request after which a connection, or a stream of HTTP/2, is closed, unless the request
  /// is complete and its response still runs.
  ///
  /// It also applies while a handler leaves the rest of a large body unread, or answers while the body continues: make it
  /// longer than any such pause. A client of HTTP/2 gets GOAWAY and PING first, and its connection is closed once it has
  /// answered, or after the drain time.
  public var idleTimeout: Duration
  /// Time for which a client may take nothing of a response that is being written, after which its connection, or its
  /// stream of HTTP/2, is closed.
  public var writeTimeout: Duration
  /// Bytes of responses, of all connections, that are held for clients that do not take them. Beyond it the largest of the
  /// IPv4 address, or IPv6 site (/56), that holds most ends with its connection, or its stream of HTTP/2. A piece of a
  /// response that a handler writes at once counts whole until all of it is taken; so let each be far smaller than this.
  /// Pieces below 4 KiB are not counted; ``maximumRequests`` limits them.
  public var maximumUntakenBytes: Int

  /// Creates limits; the handshake has 10 s, silence and a response that is not taken 60 s, and 256 MiB may be untaken.
  public init(
    maximumConnections: Int = 1_000, handshakeTimeout: Duration = .seconds(10), idleTimeout: Duration = .seconds(60),
    writeTimeout: Duration = .seconds(60), maximumRequests: Int = 10_000, maximumUntakenBytes: Int = 256 << 20
  ) {
    self.maximumConnections = maximumConnections
    self.handshakeTimeout = handshakeTimeout
    self.idleTimeout = idleTimeout
    self.writeTimeout = writeTimeout
    self.maximumRequests = maximumRequests
    self.maximumUntakenBytes = maximumUntakenBytes
  }
}
