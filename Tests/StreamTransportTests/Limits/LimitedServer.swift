import HTTP3Engine
import MetricsTestKit
import StreamTransport
import TestSupport
import Testing

/// A server on loopback whose limits are to be met, and what it counts.
struct LimitedServer: Sendable {
  let recorder = TestMetrics()

  /// Runs a server as long as `body` runs; nothing counts any more after that.
  func run(
    _ change: (inout HTTP3ServerConfiguration) -> Void,
    handler: @escaping HTTP3TestServer.Handler = HTTP3TestServer.echo,
    body: @Sendable (HTTP3TestServer) async throws -> Void
  ) async throws {
    try await HTTP3TestServer.run(
      certificate: TestCertificate.ed25519, metrics: TransportMetrics(factory: recorder), configure: change,
      handler: handler, body: body)
    #expect(recorder.level(of: "server_connections") == 0)
    #expect(recorder.level(of: "server_half_open_requests") == 0)
    #expect(recorder.level(of: "server_held_bytes") == 0)
  }

  /// The numbers of refusals and endings, by reason.
  var refusals: [String: Int64] { recorder.counts(of: "server_refusals") }
}

extension HTTP3TestServer {
  /// An engine that connects from 127.0.1.`last`.
  func client(
    from last: UInt32 = 1, manner: EngineClient.Manner = EngineClient.Manner(),
    _ configure: (inout ConnectionConfiguration) -> Void = { _ in }
  ) async throws -> EngineClient {
    try await EngineClient.connect(
      to: port, from: .v4(0x7f00_0100 + last),
      trusting: CertificateVerifier(.authorities(pem: Array(certificate.certificatePEM.utf8))), manner: manner,
      configure: configure)
  }
}

extension EngineClient {
  /// The server's refusal of the connection; nil where it was accepted.
  var outcome: HTTP3Error? {
    get async {
      await until { isEstablished || closed != nil }
      return closed
    }
  }
}
