/// Limits and timers of an HTTP/1.1 transport.
public struct HTTP1TransportConfiguration: Hashable, Sendable {
  /// Time for name resolution, TCP, a proxy's tunnel and the TLS handshake together.
  public var connectTimeout: Duration = .seconds(10)
  /// The time that a connection waits for its next request before it is closed.
  public var idleLimit: Duration = .seconds(30)
  /// Connections that may wait for their next request.
  public var maximumIdleConnections = 4
  /// Requests in flight at once, each on a connection of its own; more wait for their turn.
  public var maximumRequests = 32
  /// Body bytes of one response that may wait for their reader before no more are taken from the socket.
  ///
  /// The size of the receive buffer in bytes; one read of the socket may exceed it.
  public var receiveBuffer = 64 << 10
  /// Bytes of a header or trailer section, and of one field in it.
  public var maximumFieldSectionSize = 64 << 10
  /// Fields in a header or trailer section.
  public var maximumFieldCount = 256

  /// Creates a configuration with the default of each property.
  public init() {}
}
