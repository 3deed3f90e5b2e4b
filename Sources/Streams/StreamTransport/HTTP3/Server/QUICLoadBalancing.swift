/// A server's part of the configuration by which load balancers route packets by their connection ids (QUIC-LB,
/// draft-ietf-quic-load-balancers-21), so that a client that moves still reaches its server.
///
/// All ids have 16 bytes: the first has the configuration's number and the length of the rest, the others the server's id and a
/// nonce, so configure the balancers for a nonce of 15 bytes less the length of the server's id. The key encrypts both (in
/// four passes); without it anybody can see which server an id is of.
public struct QUICLoadBalancing: Hashable, Sendable {
  /// The id that the load balancers know this server by: 1 to 7 bytes, for all servers the same number; 3 at most without a key
  /// where the server has several ``HTTP3ServerOptions/loops``.
  public var serverID: [UInt8]
  /// The configuration's number (config rotation), 0 to 6.
  public var configuration: Int
  /// The key of AES-128, 16 bytes, that the servers and load balancers share; nil encrypts nothing.
  public var key: [UInt8]?

  /// Creates a configuration; it is checked when the server starts.
  public init(serverID: [UInt8], configuration: Int = 0, key: [UInt8]? = nil) {
    self.serverID = serverID
    self.configuration = configuration
    self.key = key
  }
}
