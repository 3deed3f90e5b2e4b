import HTTPTypes
import Hummingbird
import HummingbirdHTTP3
import StreamTransport
import TestSupport
import Testing

/// Certificates that are replaced while the server runs.
@Suite(.timeLimit(.minutes(10)))
struct CertificateReplacementTests {
  private static func server() async throws -> ServerUnderTest {
    let router = Router()
    router.get("hello") { _, _ in "hello" }
    return try await ServerUnderTest(router)
  }

  private static func status(_ client: any HTTPTransport) async throws -> HTTPResponse.Status {
    let response = try await client.send(.test(.get, "/hello"))
    _ = try await response.body.collect(upTo: 100)
    return response.head.status
  }

  @Test(arguments: TransportKindUnderTest.allCases)
  func newHandshakesUseTheNewOneAndOpenConnectionsStay(_ kind: TransportKindUnderTest) async throws {
    let server = try await Self.server()
    let before = server.client(kind)
    #expect(try await Self.status(before) == .ok)
    let other = try DevelopmentCertificate.make()
    try server.useCertificate(other.certificatePEM, privateKeyPEM: other.privateKeyPEM)
    // Over another connection the client would see a certificate that it does not trust.
    #expect(try await Self.status(before) == .ok)
    let after = kind.makeTransport(port: server.port, certificatePEM: other.certificatePEM)
    #expect(try await Self.status(after) == .ok)
    let late = server.client(kind)
    let error = await #expect(throws: TransportError.self) { try await Self.status(late) }
    #expect(error?.code == .certificateRejected)
    for client in [before, after, late] { await client.close() }
    await server.shutdown()
  }

  @Test(arguments: TransportKindUnderTest.allCases)
  func oneThatCannotBeUsedChangesNothing(_ kind: TransportKindUnderTest) async throws {
    let server = try await Self.server()
    let other = try DevelopmentCertificate.make()
    for (chain, key) in [
      (other.certificatePEM, server.certificate.privateKeyPEM), (other.certificatePEM, "x"), ("x", other.privateKeyPEM),
      ("", ""),
    ] {
      let error = #expect(throws: MultiProtocolError.self) {
        try server.useCertificate(chain, privateKeyPEM: key)
      }
      #expect(error?.code == .certificate)
    }
    let client = server.client(kind)
    #expect(try await Self.status(client) == .ok)
    await client.close()
    await server.shutdown()
  }

  @Test func aServerThatDoesNotRunSaysSo() async throws {
    let server = try await Self.server()
    await server.shutdown()
    let error = #expect(throws: MultiProtocolError.self) {
      try server.useCertificate(server.certificate.certificatePEM, privateKeyPEM: server.certificate.privateKeyPEM)
    }
    #expect(error?.code == .state)
  }
}
