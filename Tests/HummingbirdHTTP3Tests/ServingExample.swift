import HTTPTypes
import Hummingbird
import HummingbirdHTTP3
import Logging
import StreamTransport
import Testing

/// The README's server. `Tools/check` compares the two.
@Suite("Example: serving a Hummingbird router over HTTP/3")
struct ServingExample {
  @Test("answers over HTTP/3 and HTTP/1.1", .timeLimit(.minutes(10)))
  func serves() async throws {
    let pem = try DevelopmentCertificate.make()
    let logger = Logger(label: "example") { _ in SwiftLogNoOpLogHandler() }
    let configuration = MultiProtocolConfiguration(
      certificatePEM: pem.certificatePEM, privateKeyPEM: pem.privateKeyPEM)

    let router = Router()
    router.get("hello") { _, _ in "Hello over HTTP/3" }
    let server = MultiProtocolServer(
      responder: router.buildResponder(), configuration: configuration, logger: logger)
    let port = try await server.start()

    for kind in TransportKindUnderTest.allCases {
      let client = kind.makeTransport(port: port, certificatePEM: pem.certificatePEM)
      let response = try await client.send(.test(.get, "/hello"))
      #expect(try await response.body.collect(upTo: 100) == Array("Hello over HTTP/3".utf8))
      await client.close()
    }
    await server.shutdown()
  }
}
