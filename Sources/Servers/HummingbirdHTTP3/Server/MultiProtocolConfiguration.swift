public import StreamTransport

/// The address, certificate, limits and time limits of a ``MultiProtocolServer``.
public struct MultiProtocolConfiguration: Sendable {
  /// The IP address to bind, such as `127.0.0.1`, `0.0.0.0` or `::`.
  public var address: String
  /// The TCP and UDP port; 0 takes a free one that both can have.
  public var port: Int
  /// Open sockets that are served in place of ``address`` and ``port``, such as systemd passes; a server takes them when it
  /// starts (see <doc:ServingSocketsOfSystemd>).
  public var sockets: InheritedSockets?
  /// The authorities that the server answers for; see ``/StreamTransport/HTTP3ServerConfiguration/authorities``.
  public var authorities: [String] = []
  /// The certificates and their keys; the first is presented to clients that ask for no name, or for one that none has.
  public var identities: [ServerIdentity]
  /// The certificates that clients are asked for over all protocols (mutual TLS); nil, the default, asks for none.
  public var clientCertificates: ClientCertificatePolicy?
  /// The time for which a client may remember that HTTP/3 is offered (`ma` of RFC 7838 § 3.1).
  public var alternativeMaxAge: Duration
  /// The `server` field of responses; nil for none.
  public var serverName: String?
  /// The time that ``MultiProtocolServer/shutdown(_:)`` waits for running requests before it cuts them off.
  public var drainTimeout: Duration
  /// Options of the HTTP/3 server.
  public var http3: HTTP3ServerOptions
  /// The limits on HTTP/3 clients.
  public var http3Limits = HTTP3Limits()
  /// Counts the HTTP/3 clients of several servers together; see ``/StreamTransport/HTTP3ServerConfiguration/load``.
  public var http3Load: HTTP3ServerLoad?
  /// The limits on HTTP/2 and HTTP/1.1 clients.
  public var tcpLimits = TCPLimits()
  /// The limits on WebSockets, where some are served.
  public var webSocketLimits = WebSocketLimits()

  /// Receives a record of each request over all protocols, such as an ``AccessLogFile`` writes; nil for none, which costs
  /// nothing.
  public var accessLog: AccessLog?

  /// Creates the configuration of a server with one certificate, leaf first, and its key (PKCS #8); by default on this machine's loopback address, at a free port.
  public init(
    address: String = "127.0.0.1", port: Int = 0, certificatePEM: String, privateKeyPEM: String,
    alternativeMaxAge: Duration = .seconds(86_400), serverName: String? = nil,
    drainTimeout: Duration = .seconds(10), http3: HTTP3ServerOptions = HTTP3ServerOptions()
  ) {
    self.init(
      address: address, port: port,
      identities: [ServerIdentity(certificatePEM: certificatePEM, privateKeyPEM: privateKeyPEM)],
      alternativeMaxAge: alternativeMaxAge, serverName: serverName, drainTimeout: drainTimeout, http3: http3)
  }

  /// Creates the same with several certificates.
  public init(
    address: String = "127.0.0.1", port: Int = 0, identities: [ServerIdentity],
    alternativeMaxAge: Duration = .seconds(86_400), serverName: String? = nil,
    drainTimeout: Duration = .seconds(10), http3: HTTP3ServerOptions = HTTP3ServerOptions()
  ) {
    self.address = address
    self.port = port
    self.identities = identities
    self.alternativeMaxAge = alternativeMaxAge
    self.serverName = serverName
    self.drainTimeout = drainTimeout
    self.http3 = http3
  }
}
