import HTTPTypes
import Hummingbird
import HummingbirdHTTP3
import Logging
import StreamTransport
import TestSupport

/// A server on loopback with a router, and clients that trust it.
struct ServerUnderTest: Sendable {
  let port: Int
  let certificate: DevelopmentCertificate
  private let server: MultiProtocolServer<RouterResponder<BasicRequestContext>>

  init(
    _ router: Router<BasicRequestContext>, drainTimeout: Duration = .seconds(5), tcp: TCPLimits = TCPLimits(),
    webSockets: WebSocketLimits = .patient, records: KeptRecords? = nil, authorities: [String] = [],
    http3: HTTP3ServerOptions = HTTP3ServerOptions(), clients: ClientCertificatePolicy? = nil,
    webSocket: WebSocketHandler? = nil, certificate known: DevelopmentCertificate? = nil,
    sockets: InheritedSockets? = nil
  ) async throws {
    certificate = try known ?? DevelopmentCertificate.make()
    var configuration = MultiProtocolConfiguration(
      certificatePEM: certificate.certificatePEM, privateKeyPEM: certificate.privateKeyPEM, serverName: "test",
      drainTimeout: drainTimeout, http3: http3)
    configuration.tcpLimits = tcp
    configuration.webSocketLimits = webSockets
    configuration.accessLog = records.map { records in { @Sendable in records.append($0) } }
    configuration.authorities = authorities
    configuration.clientCertificates = clients
    configuration.sockets = sockets
    server = MultiProtocolServer(
      responder: router.buildResponder(), configuration: configuration,
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, webSocket: webSocket)
    port = try await server.start()
  }

  func client(_ kind: TransportKindUnderTest, identity: ClientIdentity? = nil) -> any HTTPTransport {
    kind.makeTransport(port: port, certificatePEM: certificate.certificatePEM, identity: identity)
  }

  /// Takes the same certificate again, and other authorities of clients.
  func use(clientAuthoritiesPEM: String) throws(MultiProtocolError) {
    let own = ServerIdentity(certificatePEM: certificate.certificatePEM, privateKeyPEM: certificate.privateKeyPEM)
    try server.use([own], clientAuthoritiesPEM: clientAuthoritiesPEM)
  }

  func useCertificate(_ certificatePEM: String, privateKeyPEM: String) throws(MultiProtocolError) {
    try server.useCertificate(certificatePEM, privateKeyPEM: privateKeyPEM)
  }

  func shutdown() async {
    await server.shutdown()
  }
}

extension Router where Context == BasicRequestContext {
  /// Answers `/stream` in two halves, the second once the gate is open.
  static func twoHalves(_ gate: Gate) -> Router {
    let router = Router()
    router.get("stream") { _, _ in
      Response(
        status: .ok,
        body: .init { writer in
          try await writer.write(ByteBuffer(string: "first"))
          await gate.wait()
          try await writer.write(ByteBuffer(string: "second"))
          try await writer.finish(nil)
        })
    }
    return router
  }
}

extension HTTPRequest {
  static func test(_ method: HTTPRequest.Method = .get, _ path: String) -> HTTPRequest {
    HTTPRequest(method: method, scheme: nil, authority: nil, path: path)
  }
}

extension WebSocketLimits {
  /// Nothing that comes by itself ends a WebSocket within a test.
  static var patient: WebSocketLimits {
    var limits = WebSocketLimits()
    limits.maximumConnectionsPerPrefix = 1_000
    limits.messageTimeout = .seconds(3_600)
    limits.pingInterval = .seconds(3_600)
    limits.pongTimeout = .seconds(3_600)
    limits.writeTimeout = .seconds(3_600)
    limits.closeTimeout = .seconds(3_600)
    return limits
  }
}
