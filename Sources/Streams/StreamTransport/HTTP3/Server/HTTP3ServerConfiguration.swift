import HTTP3Engine

/// The configuration of an HTTP/3 server: its address, its certificate and its limits.
public struct HTTP3ServerConfiguration: Sendable {
  /// A numeric IPv4 or IPv6 address; `0.0.0.0` or `::` for all.
  public var address: String
  /// The UDP port; 0 takes any free one.
  public var port: Int
  /// An open UDP socket that is served in place of ``address`` and ``port``; a server takes it when it starts.
  ///
  /// The process that passed it may pass it to the next server too. So a server that drains leaves clients that begin a
  /// connection to that one, for which their packets come again, in place of refusing them.
  public var socket: InheritedSocket?
  /// Addresses of this machine, one of each family at most, that clients are asked to continue at after their handshake
  /// (RFC 9000 § 9.6), such as its own where ``address`` is shared by many machines.
  public var preferredAddresses: [ServerAddress] = []
  /// The authorities that the server answers for, each a host, such as `example.com`, which covers all of its ports, or a
  /// host and a port; requests to others get 421 (RFC 9110 § 15.5.20). None, the default, answers for all.
  public var authorities: [String] = []
  /// The certificates and their keys; the first is presented to clients that ask for no name, or for one that none has.
  public var identities: [ServerIdentity]
  /// The certificates that clients are asked for (mutual TLS); nil, the default, asks for none.
  public var clientCertificates: ClientCertificatePolicy?
  /// The server's limits on its clients.
  public var limits = HTTP3Limits()
  /// A shared count of the connections, half-open requests and held bytes of several servers, by its own limits; nil
  /// counts this server's alone, by ``limits``.
  public var load: HTTP3ServerLoad?
  /// Resumption, early data, address validation and logs.
  public var options = HTTP3ServerOptions()
  /// The source of ids, secrets and tokens; tests give their own.
  package var random = TransportRandom.system
  /// The clock by which secrets are renewed, and tokens dated for other servers.
  package var clock = TransportClock.continuous

  /// Creates the configuration of a server with one certificate, leaf first, and its key (PKCS #8), both in PEM form, the
  /// default limits and options, which answers for all authorities.
  public init(address: String, port: Int, certificatePEM: String, privateKeyPEM: String) {
    self.init(
      address: address, port: port,
      identities: [ServerIdentity(certificatePEM: certificatePEM, privateKeyPEM: privateKeyPEM)])
  }

  /// Creates the same with several certificates.
  public init(address: String, port: Int, identities: [ServerIdentity]) {
    self.address = address
    self.port = port
    self.identities = identities
  }

  /// The address to listen at, with port 0 for any; nil for one that is not numeric.
  var listeningAddress: NetworkAddress? {
    if let socket { return socket.localAddress }
    return UInt16(exactly: port).flatMap { NetworkAddress(literal: address, port: $0) }
  }
}

/// A numeric IPv4 or IPv6 address and a UDP port; 0 takes any free one.
public struct ServerAddress: Hashable, Sendable {
  /// The address in its numeric form, without brackets.
  public var address: String
  /// The UDP port, 0 to 65535.
  public var port: Int

  /// Creates an address; it is checked when the server starts.
  public init(address: String, port: Int) {
    self.address = address
    self.port = port
  }
}
