import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOTLS
import TestSupport
import Testing

@testable import StreamTransport

/// A server's answer in ALPN to an offer of `http/1.1` alone (RFC 7301 § 3.2). No server library of the tests chooses
/// what was not offered, so the TLS handler's report stands for one.
@Suite struct HTTP1ProtocolTests {
  private func outcome(_ negotiated: String?) throws -> TransportError? {
    let channel = EmbeddedChannel()
    let tls = TLSOptions(trust: .pinned(sha256: [UInt8](repeating: 1, count: 32)))
    let handler = HTTP1ConnectionHandler(
      ready: channel.eventLoop.makePromise(), origin: Origin(scheme: .https, host: "localhost", port: 443),
      configuration: HTTP1TransportConfiguration(),
      verdict: CertificateVerdict(verifier: try tls.makeVerifier(), host: "localhost"))
    try channel.pipeline.syncOperations.addHandler(handler)
    channel.pipeline.fireUserInboundEventTriggered(TLSUserEvent.handshakeCompleted(negotiatedProtocol: negotiated))
    defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
    do {
      try handler.ready.futureResult.wait()
      return nil
    } catch {
      return error as? TransportError
    }
  }

  @Test(arguments: ["h2", "http/1.0", ""])
  func anotherThanTheOfferedOneIsRefused(_ negotiated: String) throws {
    let error = try outcome(negotiated)
    #expect(error?.code == .protocolViolation)
    #expect(error?.message == "localhost chose '\(negotiated)', which was not offered.")
  }

  /// Servers without ALPN speak HTTP/1.1.
  @Test(arguments: ["http/1.1", nil])
  func theOfferedOneAndNoneAreTaken(_ negotiated: String?) throws {
    #expect(try outcome(negotiated) == nil)
  }

  /// Over TCP: a server without ALPN, and one that knows other protocols only and then chooses none.
  @Test(.timeLimit(.minutes(10)), arguments: [["http/1.1"], [], ["h2"]])
  func aServerThatChoosesNoneIsAskedInHTTP1(_ protocols: [String]) async throws {
    let certificate = try DevelopmentCertificate.make()
    try await RawServer.run(certificate, applicationProtocols: protocols) { peer in
      guard let head = try await peer.request() else { return }
      try await peer.send("HTTP/1.1 \(head.hasPrefix("GET / HTTP/1.1") ? 204 : 500) Status\r\n\r\n")
    } body: { server in
      let transport = HTTP1Transport(
        origin: Origin(scheme: .https, host: "127.0.0.1", port: server.port),
        tls: TLSOptions(trust: .certificates(pem: certificate.certificatePEM)), logger: .quiet,
        configuration: .patient)
      let response = try await transport.send(HTTPRequest(path: "/"))
      #expect(response.head.status == .noContent)
      await transport.close()
    }
  }
}
