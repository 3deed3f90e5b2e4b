/// Limits on the HTTP/3 clients of a server. Each limit is a number: 0 allows nothing, and none means "no limit".
///
/// A *prefix* is where clients come from as far as a server can tell them apart: an IPv4 address (/32), or the first 56 bits
/// of an IPv6 address, which is what a site is given at least. Behind a translator many people share one. A client counts
/// against its prefix once it has proven that it receives what is sent there, so nobody can use up another's share with
/// forged addresses.
///
/// When a limit in sum is reached, a newcomer takes the place of another if the prefix that has most has at least two more
/// than the newcomer's: the newest of that prefix goes. So those who ask for much make room for those who ask for little,
/// and never the other way round.
public struct HTTP3Limits: Hashable, Sendable {
  /// Connections that are held at once; closed ones do not count. A client beyond it is refused (CONNECTION_REFUSED), or
  /// takes the place of another, which is closed (H3_EXCESSIVE_LOAD).
  public var maximumConnections = 2_000
  /// Of these, connections of one prefix.
  public var maximumConnectionsPerPrefix = 100
  /// Requests that one connection may have open at once.
  public var maximumRequestsPerConnection = 100
  /// Requests whose header section or body is not complete; those that come whole in one go are none of them. One beyond it
  /// is refused (H3_REQUEST_REJECTED, so that it may be sent again; H3_EXCESSIVE_LOAD where its handler runs already), or
  /// takes the place of another.
  public var maximumHalfOpenRequests = 2_000
  /// Of these, requests of one prefix.
  public var maximumHalfOpenRequestsPerPrefix = 200
  /// Bytes of one field section that are taken (RFC 9114 § 4.2.2).
  public var maximumFieldSectionSize = 64 << 10
  /// Bytes that clients make the server hold: request bodies that handlers have not read, response bodies that clients have
  /// not acknowledged, and ``connectionCost`` for each connection.
  ///
  /// Beyond it the one goes that holds most: of the prefixes the one that holds most, of its connections the one that holds
  /// most, of that one's requests the one that holds most (H3_EXCESSIVE_LOAD), and where no request holds anything the
  /// connection. Of equals it is the newest.
  public var maximumHeldBytes = 512 << 20
  /// Of these, bytes held for one prefix; beyond it the one that holds most of the prefix goes.
  public var maximumHeldBytesPerPrefix = 128 << 20
  /// Time that a client has for its whole handshake.
  public var handshakeTimeout: Duration = .seconds(10)
  /// Time that a client has for a request's whole header section (H3_REQUEST_INCOMPLETE).
  public var headerTimeout: Duration = .seconds(10)
  /// Time without a byte of a request's body after which the request is given up: with status 408 where the response has
  /// not begun, with H3_REQUEST_INCOMPLETE where it has. It does not run while the handler leaves bytes unread.
  public var bodyTimeout: Duration = .seconds(60)
  /// How long a client may take to acknowledge part of a response that waits for it, for flow control as well; checked up
  /// to half that time late (H3_REQUEST_CANCELLED). An event stream with nothing to send may be silent for ever.
  public var writeTimeout: Duration = .seconds(60)
  /// Silence after which a connection is dropped; a client that sends PINGs is not silent.
  public var idleTimeout: Duration = .seconds(60)

  /// Bytes that a connection counts for by itself.
  public static let connectionCost = 64 << 10

  /// Creates limits that a public server can run with.
  public init() {}
}
