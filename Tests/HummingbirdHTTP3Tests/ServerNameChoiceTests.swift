import HTTPTypes
import Hummingbird
import HummingbirdHTTP3
import Logging
import StreamTransport
import TestSupport
import Testing

/// Several certificates on one port, over all protocols.
@Suite(.timeLimit(.minutes(10)))
struct ServerNameChoiceTests {
  private static func identity(_ certificate: DevelopmentCertificate) -> ServerIdentity {
    ServerIdentity(certificatePEM: certificate.certificatePEM, privateKeyPEM: certificate.privateKeyPEM)
  }

  /// Whether a client that trusts `certificate` alone is served under a name of this machine.
  private static func isServed(
    _ kind: TransportKindUnderTest, _ host: String, _ port: Int, trusting certificate: DevelopmentCertificate
  ) async throws -> Bool {
    let client = kind.makeTransport(port: port, certificatePEM: certificate.certificatePEM, host: host)
    do {
      let status = try await client.send(.test(.get, "/hello")).head.status
      await client.close()
      return status == .ok
    } catch let error as TransportError {
      #expect(error.code == .certificateRejected, "\(error)")
      await client.close()
      return false
    }
  }

  private static func server(
    _ identities: [ServerIdentity]
  ) async throws -> (
    server: MultiProtocolServer<RouterResponder<BasicRequestContext>>, port: Int
  ) {
    let router = Router()
    router.get("hello") { _, _ in "hello" }
    let server = MultiProtocolServer(
      responder: router.buildResponder(), configuration: MultiProtocolConfiguration(identities: identities),
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    return (server, try await server.start())
  }

  @Test(arguments: TransportKindUnderTest.allCases)
  func aClientGetsTheCertificateOfItsName(_ kind: TransportKindUnderTest) async throws {
    let first = try DevelopmentCertificate.make()
    let exact = try DevelopmentCertificate.make(hosts: ["www.localhost"])
    let wildcard = try DevelopmentCertificate.make(hosts: ["*.sub.localhost", "localhost"])
    let (server, port) = try await Self.server([first, wildcard, exact].map(Self.identity))
    #expect(try await Self.isServed(kind, "www.localhost", port, trusting: exact))
    #expect(try await Self.isServed(kind, "a.sub.localhost", port, trusting: wildcard))
    // Of two certificates with the same name, the first has it; and it is the one for no name.
    #expect(try await Self.isServed(kind, "localhost", port, trusting: first))
    #expect(try await Self.isServed(kind, "127.0.0.1", port, trusting: first))
    #expect(try await !Self.isServed(kind, "www.localhost", port, trusting: first))
    // A replacement is one of all.
    let others = try [DevelopmentCertificate.make(), .make(hosts: ["www.localhost"])]
    try server.use(others.map(Self.identity))
    #expect(try await Self.isServed(kind, "www.localhost", port, trusting: others[1]))
    #expect(try await Self.isServed(kind, "localhost", port, trusting: others[0]))
    #expect(try await !Self.isServed(kind, "a.sub.localhost", port, trusting: wildcard))
    await server.shutdown()
  }

  /// One that cannot be used keeps all out, over all protocols.
  @Test(arguments: TransportKindUnderTest.allCases)
  func oneBadIdentityChangesNothing(_ kind: TransportKindUnderTest) async throws {
    let certificates = try [DevelopmentCertificate.make(), .make(hosts: ["www.localhost"])]
    let (server, port) = try await Self.server(certificates.map(Self.identity))
    let other = try DevelopmentCertificate.make(hosts: ["www.localhost"])
    var bad = Self.identity(other)
    bad.privateKeyPEM = certificates[0].privateKeyPEM
    for identities in [[Self.identity(other), bad], [bad], []] {
      let error = #expect(throws: MultiProtocolError.self) { try server.use(identities) }
      #expect(error?.code == .certificate)
    }
    #expect(try await Self.isServed(kind, "www.localhost", port, trusting: certificates[1]))
    await server.shutdown()
  }

  /// A ClientHello of TLS 1.3 (RFC 8446 § 4.1.2) with a name of any bytes (RFC 6066 § 3), in a record.
  private static func clientHello(serverName: [UInt8]) -> [UInt8] {
    func sized(_ bytes: [UInt8]) -> [UInt8] { [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xff)] + bytes }
    let extensions: [(UInt8, [UInt8])] = [
      (0, sized([0] + sized(serverName))), (10, sized([0, 0x1d])), (13, sized([4, 3, 8, 4, 8, 7])), (43, [2, 3, 4]),
      (51, sized([0, 0x1d] + sized([UInt8](repeating: 9, count: 32)))),
    ]
    let body =
      [3, 3] + [UInt8](repeating: 7, count: 32) + [0] + sized([0x13, 0x01]) + [1, 0]
      + sized(extensions.flatMap { [0, $0.0] + sized($0.1) })
    return [22, 3, 1] + sized([1, 0] + sized(body))
  }

  /// Names that no client of ours would ask for, in ClientHellos as an attacker writes them.
  @Test func hostileNamesHarmNobody() async throws {
    let certificates = try [DevelopmentCertificate.make(), .make(hosts: ["www.localhost"])]
    let (server, port) = try await Self.server(certificates.map(Self.identity))
    let names: [[UInt8]] = [
      [], [0], Array("www.localhost\0".utf8), [0xff, 0xfe, 0xc0], Array("wwẅ.localhost".utf8),
      [UInt8](repeating: 0x61, count: 255), [UInt8](repeating: 0x61, count: 16_000), Array("www.localhost".utf8),
    ]
    for name in names {
      let client = try await RawClient(port, overTLS: false)
      // What is behind the ClientHello is no TLS, so that the server ends what it has begun.
      try await client.send(Self.clientHello(serverName: name) + [UInt8](repeating: 0, count: 16))
      // An alert, behind the server's first flight where there is one.
      #expect(await !client.rest().isEmpty)
    }
    #expect(try await Self.isServed(.http1, "www.localhost", port, trusting: certificates[1]))
    await server.shutdown()
  }
}
