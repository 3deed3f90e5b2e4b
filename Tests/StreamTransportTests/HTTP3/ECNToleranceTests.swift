import HTTP3Engine
import HTTPTypes
import StreamTransport
import TestSupport
import Testing

/// Servers that cannot read ACK frames with ECN counts (nginx#945) are reached without ECN.
@Suite(.timeLimit(.minutes(10))) struct ECNToleranceTests {
  private func transport(
    _ server: EngineServer, _ certificate: DevelopmentCertificate, _ store: ResumptionStore = .patient
  ) -> HTTP3Transport {
    HTTP3Transport(
      origin: Origin(scheme: .https, host: "127.0.0.1", port: server.port),
      tls: TLSOptions(trust: .certificates(pem: certificate.certificatePEM)), logger: .quiet, configuration: .patient,
      resumption: store)
  }

  @Test(arguments: [
    EngineServer.Intolerance.atOnce(.frameEncodingError), .atOnce(.protocolViolation), .atOnce(.internalError),
    .atItsRequest(.internalError),
  ])
  func oneMoreAttemptIsMadeWithoutECNAndRemembered(_ intolerance: EngineServer.Intolerance) async throws {
    let certificate = TestCertificate.p256
    try await EngineServer.run(certificate, intolerance) { server in
      let transport = transport(server, certificate)
      let response = try await transport.send(HTTPRequest(path: "/first"))
      #expect(response.head.status == .noContent)
      #expect(await server.refusedCount == 1)
      await transport.close()
      // Another connection of the same transport is without from the start.
      let marked = await server.markedCount
      #expect(try await transport.send(HTTPRequest(path: "/second")).head.status == .noContent)
      #expect(await server.refusedCount == 1)
      #expect(await server.markedCount == marked)
      await transport.close()
      let paths = await server.requests.map { fields in fields.first { $0.name == ":path" }?.value }
      #expect(paths == ["/first", "/second"])
    }
  }

  /// Else the first request of every start would meet it, and one that may not be repeated would fail.
  @Test func theNextTransportKnows() async throws {
    let certificate = TestCertificate.p256
    let store = ResumptionStore.patient
    try await EngineServer.run(certificate, .atItsRequest(.internalError)) { server in
      let first = transport(server, certificate, store)
      #expect(try await first.send(HTTPRequest(path: "/")).head.status == .noContent)
      #expect(await server.refusedCount == 1)
      await first.close()
      let marked = await server.markedCount
      let next = transport(server, certificate, store)
      let answer = try await next.send(HTTPRequest(.post, path: "/"), body: .bytes([1]))
      #expect(answer.head.status == .noContent)
      #expect(await server.refusedCount == 1)
      #expect(await server.markedCount == marked)
      await next.close()
    }
  }

  /// A request that may have been processed is not sent again by itself; the next request succeeds.
  @Test func anUnsafeRequestIsNotRepeated() async throws {
    let certificate = TestCertificate.p256
    try await EngineServer.run(certificate, .atItsRequest(.frameEncodingError)) { server in
      let transport = transport(server, certificate)
      let error = await #expect(throws: TransportError.self) {
        try await transport.send(HTTPRequest(.post, path: "/"), body: .bytes([1]))
      }
      #expect(error?.code == .protocolViolation)
      #expect(error?.wireCode == "FRAME_ENCODING_ERROR")
      let next = try await transport.send(HTTPRequest(.post, path: "/"), body: .bytes([1]))
      #expect(next.head.status == .noContent)
      #expect(await server.refusedCount == 1)
      await transport.close()
    }
  }

  /// Only one: a server that closes for another reason is believed.
  @Test func aServerThatRefusesEverybodyIsAskedTwice() async throws {
    let certificate = TestCertificate.p256
    try await EngineServer.run(certificate, configure: { $0.maximumConnections = 0 }) { server in
      let transport = transport(server, certificate)
      let code = try await failureCode { _ = try await transport.connect() }
      #expect(code == .connectionRefused)
    }
  }

  @Test func othersAreSentMarks() async throws {
    let certificate = TestCertificate.p256
    try await EngineServer.run(certificate) { server in
      let transport = transport(server, certificate)
      let response = try await transport.send(HTTPRequest(path: "/"))
      #expect(response.head.status == .noContent)
      #expect(await server.connectionCount == 1)
      #expect(await server.markedCount > 0)
      await transport.close()
    }
  }
}
