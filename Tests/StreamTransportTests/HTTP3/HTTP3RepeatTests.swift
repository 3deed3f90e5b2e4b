import HTTP3Engine
import HTTPTypes
import MetricsTestKit
import StreamTransport
import TestSupport
import Testing

/// Repeats between transport and server over loopback; the engine's tests have the rest.
@Suite(.timeLimit(.minutes(10))) struct HTTP3RepeatTests {
  /// Writes a hundred events, and answers what was repeated of them.
  private func repeats(
    client: RepeatedResponses = .eventStreams, server: RepeatedResponses = .eventStreams, accept: String?,
    type: String = "text/event-stream"
  ) async throws -> Int64 {
    let recorder = TestMetrics()
    let event = [UInt8](repeating: UInt8(ascii: "x"), count: 60)
    try await HTTP3TestServer.run(
      metrics: TransportMetrics(factory: recorder),
      configure: {
        $0.options.repeatedResponses = server
        $0.options.repeatsAfterLossAlone = false
      },
      handler: { exchange in
        try? await exchange.respond(HTTPResponse(status: .ok, headerFields: [.contentType: type]))
        for _ in 0..<100 { try? await exchange.write(event) }
        try? await exchange.finish()
      }
    ) { server in
      var configuration = HTTP3TransportConfiguration.patient
      configuration.repeatedResponses = client
      let transport = server.makeTransport(configuration: configuration)
      var request = HTTPRequest(path: "/")
      request.headerFields[.accept] = accept
      let response = try await transport.send(request)
      #expect(response.head.headerFields.allSatisfy { $0.name.canonicalName != "content-repeats" })
      #expect(try await response.body.collect(upTo: 10_000) == Array(repeatElement(event, count: 100).joined()))
      await transport.close()
      await until { !recorder.counts(of: "server_connections_closed").isEmpty }
    }
    return recorder.counts(of: "server_repeats_sent").values.reduce(0, +)
  }

  @Test func eventStreamsAreRepeated() async throws {
    #expect(try await repeats(accept: "text/event-stream") > 0)
  }

  @Test func otherResponsesAreWhereBothSaySo() async throws {
    #expect(try await repeats(accept: nil, type: "text/plain") == 0)
    #expect(try await repeats(client: .all, accept: nil, type: "text/plain") == 0)
    #expect(try await repeats(client: .all, server: .all, accept: nil, type: "text/plain") > 0)
  }

  @Test func noneAreWhereOneSideWantsNone() async throws {
    #expect(try await repeats(client: .none, accept: "text/event-stream") == 0)
    #expect(try await repeats(server: .none, accept: "text/event-stream") == 0)
  }

  /// RFC 9297 § 2.
  @Test func aDatagramThatARequestHasNoUseForResetsItsStream() async throws {
    try await HTTP3TestServer.run { server in
      let verifier = try CertificateVerifier(.authorities(pem: Array(server.certificate.certificatePEM.utf8)))
      let client = try await EngineClient.connect(to: server.port, trusting: verifier) { $0.usesDatagrams = true }
      await until { await client.isEstablished }
      let id = try await client.send("/", method: "POST", endStream: false)
      let other = try await client.send("/", method: "POST", endStream: false)
      await until { await client.statuses.count == 2 }
      try await client.perform { try $0.sendDatagram([1], on: id) }
      await until { await client.resets[id] != nil }
      #expect(await client.resets[id]?.code == .application(.datagramError))
      #expect(await client.isServed(on: other))
      await client.vanish()
    }
  }

  @Test func aServersDatagramWithoutAgreementEndsTheResponse() async throws {
    let certificate = try DevelopmentCertificate.make(hosts: ["127.0.0.1"])
    try await EngineServer.run(certificate, configure: { $0.connection.usesDatagrams = true }) { server in
      let transport = HTTP3Transport(
        origin: Origin(scheme: .https, host: "127.0.0.1", port: server.port),
        tls: TLSOptions(trust: .certificates(pem: certificate.certificatePEM)), logger: .quiet,
        configuration: .patient, resumption: .patient)
      // It may come before the response's head.
      let code = try await failureCode {
        _ = try await transport.send(HTTPRequest(path: EngineServer.datagram)).body.collect(upTo: 100)
      }
      #expect(code == .protocolViolation)
      await transport.close()
    }
  }
}
