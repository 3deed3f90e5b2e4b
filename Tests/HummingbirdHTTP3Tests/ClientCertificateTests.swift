import Foundation
import HTTPTypes
import Hummingbird
import StreamTransport
import Synchronization
import TestSupport
import Testing

@testable import HummingbirdHTTP3

/// Clients that prove who they are by certificates, over all protocols.
@Suite(.timeLimit(.minutes(10)))
struct ClientCertificateTests {
  private let authority: TestAuthority
  private let robot: TestAuthority.Issued

  init() throws {
    authority = try TestAuthority()
    robot = try authority.issue()
  }

  /// The requests that a handler saw.
  private final class Seen: Sendable {
    private let count = Mutex(0)
    var all: Int { count.withLock { $0 } }
    func add() { count.withLock { $0 += 1 } }
  }

  /// Answers with what it knows of its client, and the fields that say so.
  private static func router(_ seen: Seen = Seen()) -> Router<BasicRequestContext> {
    let router = Router()
    router.get("who") { request, _ in
      seen.add()
      let names = ["client-cert", "client-cert-chain"].compactMap { HTTPField.Name($0) }
      return Self.words(request.clientCertificate, names.count { request.headers.contains($0) })
    }
    return router
  }

  private static func words(_ certificate: ClientCertificate?, _ fieldCount: Int) -> String {
    guard let certificate else { return "nobody, \(fieldCount) fields" }
    return "\(certificate.subject), \(certificate.names), \(certificate.fingerprint), \(certificate.der.count) bytes"
  }

  private static func words(_ issued: TestAuthority.Issued) -> String {
    words(ClientCertificate(der: issued.der), 1)
  }

  private func policy(_ demand: ClientCertificatePolicy.Demand = .required) -> ClientCertificatePolicy {
    ClientCertificatePolicy(demand, authoritiesPEM: authority.certificatePEM)
  }

  private static func answer(
    _ client: any HTTPTransport, fields: [(String, String)] = []
  ) async throws -> String {
    var request = HTTPRequest.test(.get, "/who")
    for (name, value) in fields {
      request.headerFields.append(HTTPField(name: try #require(HTTPField.Name(name)), value: value))
    }
    let response = try await client.send(request)
    return String(decoding: try await response.body.collect(upTo: 10_000), as: UTF8.self)
  }

  @Test(arguments: TransportKindUnderTest.allCases)
  func theHandlerSeesWhoItsClientIs(_ kind: TransportKindUnderTest) async throws {
    let server = try await ServerUnderTest(Self.router(), clients: policy())
    let client = server.client(kind, identity: robot.identity)
    #expect(try await Self.answer(client) == Self.words(robot))
    // The next request of the connection too, whatever it says of itself.
    #expect(try await Self.answer(client, fields: [("client-cert", ":AAAA:")]) == Self.words(robot))
    await client.close()
    await server.shutdown()
  }

  @Test func theHandlerSeesItOverHTTP2() async throws {
    let server = try await ServerUnderTest(Self.router(), clients: policy())
    let client = try await RawClient(server.port, protocols: ["h2"], identity: robot)
    // GET /who by entries of HPACK's static table, with the path and the authority beside them.
    let fields: [UInt8] =
      [0x82, 0x87, 0x04, 4] + Array("/who".utf8) + [0x01, 9] + Array("localhost".utf8)
    let start = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + [0, 0, 0, 4, 0, 0, 0, 0, 0]
    let expected = Self.words(robot)
    for stream in [1, 3] as [UInt8] {
      try await client.send((stream == 1 ? start : []) + [0, 0, UInt8(fields.count), 1, 5, 0, 0, 0, stream] + fields)
      let content = try await client.content(of: stream)
      #expect(String(decoding: content, as: UTF8.self) == expected)
    }
    await client.close()
    await server.shutdown()
  }

  @Test func theHandlerOfAWebSocketSeesIt() async throws {
    let seen = Mutex<[String]>([])
    let server = try await ServerUnderTest(
      Self.router(), clients: policy(),
      webSocket: { request in
        seen.withLock { $0.append(Self.words(request.clientCertificate, 1)) }
        return .refuse(Response(status: .forbidden))
      })
    let client = try await RawClient(server.port, identity: robot)
    try await client.request("GET /socket HTTP/1.1", RawClient.fields + ["client-cert: :AAAA:"])
    #expect(try await client.head().hasPrefix("HTTP/1.1 403 "))
    #expect(try seen.withLock { $0 } == [Self.words(robot)])
    await client.close()
    await server.shutdown()
  }

  @Test(arguments: TransportKindUnderTest.allCases)
  func withoutAGoodCertificateNoRequestIsHandled(_ kind: TransportKindUnderTest) async throws {
    let seen = Seen()
    let server = try await ServerUnderTest(Self.router(seen), clients: policy())
    let expired = try authority.issue(
      notBefore: Date(timeIntervalSinceNow: -7_200), notAfter: Date(timeIntervalSinceNow: -3_600))
    let stranger = try TestAuthority("Another").issue()
    let wrong = try authority.issue(purpose: .server)
    for identity in [nil, expired.identity, stranger.identity, wrong.identity] {
      let client = server.client(kind, identity: identity)
      let error = await #expect(throws: TransportError.self) { try await Self.answer(client) }
      #expect(error?.code == .tls || (kind == .http1 && error?.code == .connectionLost), "\(String(describing: error))")
      await client.close()
    }
    #expect(seen.all == 0)
    await server.shutdown()
  }

  @Test(arguments: TransportKindUnderTest.allCases)
  func aRequestedCertificateMayBeMissingAndIsNotToBeBad(_ kind: TransportKindUnderTest) async throws {
    let seen = Seen()
    let server = try await ServerUnderTest(Self.router(seen), clients: policy(.requested))
    let unknown = server.client(kind)
    #expect(try await Self.answer(unknown) == "nobody, 0 fields")
    let known = server.client(kind, identity: robot.identity)
    #expect(try await Self.answer(known) == Self.words(robot))
    let stranger = server.client(kind, identity: try TestAuthority("Another").issue().identity)
    await #expect(throws: TransportError.self) { try await Self.answer(stranger) }
    #expect(seen.all == 2)
    for client in [unknown, known, stranger] { await client.close() }
    await server.shutdown()
  }

  /// What a client says of itself reaches no handler, whether the server asks for certificates or not.
  @Test(arguments: TransportKindUnderTest.allCases, [true, false])
  func aClientCannotClaimACertificate(_ kind: TransportKindUnderTest, _ asks: Bool) async throws {
    let server = try await ServerUnderTest(Self.router(), clients: asks ? policy(.requested) : nil)
    let client = server.client(kind)
    let claim = ":\(Data(robot.der).base64EncodedString()):"
    for fields in [
      [("client-cert", claim)], [("Client-Cert", claim), ("client-cert", claim)], [("client-cert-chain", claim)],
      [("client-cert", claim), ("client-cert-chain", claim)],
    ] {
      #expect(try await Self.answer(client, fields: fields) == "nobody, 0 fields")
    }
    await client.close()
    await server.shutdown()
  }

  /// As where a handler, which serves a client with a certificate, starts another server.
  @Test func aServerKnowsNoClientOfTheTaskThatStartedIt() async throws {
    let certificate = try #require(ClientCertificate(der: robot.der))
    let server = try await TCPClientCertificate.$current.withValue(certificate) {
      try await ServerUnderTest(Self.router())
    }
    let client = server.client(.http1)
    #expect(try await Self.answer(client) == "nobody, 0 fields")
    await client.close()
    await server.shutdown()
  }

  @Test(arguments: TransportKindUnderTest.allCases)
  func otherAuthoritiesHoldFromTheNextConnectionOn(_ kind: TransportKindUnderTest) async throws {
    let other = try TestAuthority("Another")
    let server = try await ServerUnderTest(Self.router(), clients: policy())
    let before = server.client(kind, identity: robot.identity)
    #expect(try await Self.answer(before) == Self.words(robot))
    let error = #expect(throws: MultiProtocolError.self) { try server.use(clientAuthoritiesPEM: "none") }
    #expect(error?.code == .certificate)
    // Another certificate of the server's alone leaves them as they are.
    try server.useCertificate(server.certificate.certificatePEM, privateKeyPEM: server.certificate.privateKeyPEM)
    let beside = server.client(kind, identity: robot.identity)
    #expect(try await Self.answer(beside) == Self.words(robot))
    try server.use(clientAuthoritiesPEM: other.certificatePEM)
    #expect(try await Self.answer(before) == Self.words(robot))
    let late = server.client(kind, identity: robot.identity)
    await #expect(throws: TransportError.self) { try await Self.answer(late) }
    let issued = try other.issue()
    let after = server.client(kind, identity: issued.identity)
    #expect(try await Self.answer(after) == Self.words(issued))
    for client in [before, beside, late, after] { await client.close() }
    await server.shutdown()
  }

  @Test func authoritiesThatCannotBeUsedKeepTheServerFromStarting() async throws {
    let error = await #expect(throws: MultiProtocolError.self) {
      try await ServerUnderTest(Self.router(), clients: ClientCertificatePolicy(authoritiesPEM: "none"))
    }
    #expect(error?.code == .certificate)
    let server = try await ServerUnderTest(Self.router())
    let other = #expect(throws: MultiProtocolError.self) {
      try server.use(clientAuthoritiesPEM: authority.certificatePEM)
    }
    #expect(other?.code == .certificate)
    await server.shutdown()
  }

  /// A field that nobody here has set, as in a unit test of a handler.
  @Test(arguments: ["", ":", "::", ":AAAA:", "AAAA", ":!:", ":AAAA"])
  func aFieldThatHoldsNoCertificateIsNone(_ value: String) throws {
    var request = HTTPRequest.test(.get, "/who")
    request.headerFields[try #require(HTTPField.Name("client-cert"))] = value
    #expect(ClientCertificateField.certificate(in: request) == nil)
    ClientCertificateField.set(ClientCertificate(der: robot.der), in: &request)
    #expect(ClientCertificateField.certificate(in: request)?.der == robot.der)
    ClientCertificateField.set(nil, in: &request)
    #expect(request.headerFields.isEmpty)
  }
}
