/// Limits on a server's WebSockets, beside those of ``TCPLimits``, by which they count as connections.
///
/// A WebSocket holds few messages at once: one that comes in, two that wait for the handler, and
/// ``maximumWaitingBytes`` on their way out. So ``maximumConnections`` times five of the largest bounds the memory of all.
public struct WebSocketLimits: Hashable, Sendable {
  /// WebSockets held at once; a request for one more is answered with 503.
  public var maximumConnections = 500
  /// Of these, WebSockets of one IPv4 address or of one IPv6 site (/56).
  public var maximumConnectionsPerPrefix = 50
  /// Bytes of one message that are taken; one that is larger closes the WebSocket with 1009.
  public var maximumMessageSize = 1 << 20
  /// Bytes of messages that wait for a client to take them. A write that would exceed it throws, unless nothing waits.
  public var maximumWaitingBytes = 1 << 20
  /// Time in which a message has to come whole once it has begun; later the WebSocket is closed with 1008.
  public var messageTimeout: Duration = .seconds(60)
  /// Silence after which a client is sent a ping.
  public var pingInterval: Duration = .seconds(20)
  /// Time in which something has to come from the client after a ping. It does not run while the handler leaves messages
  /// unread, because what follows them is not read either.
  public var pongTimeout: Duration = .seconds(20)
  /// Time in which a client has to take a message; later its connection is closed.
  public var writeTimeout: Duration = .seconds(60)
  /// Time in which a client has to answer a close frame.
  public var closeTimeout: Duration = .seconds(5)

  /// Creates limits that a public server can run with.
  public init() {}
}
