import HTTPTypes
import StreamTransport
import TestSupport
import Testing

/// A path that falls silent while a response is open.
@Suite(.timeLimit(.minutes(10))) struct HTTP3SilentPathTests {
  private let store = ResumptionStore.patient

  /// A server that begins each response and continues when the gate opens, and a relay before it.
  private func run(
    _ gate: Gate, replacesSilent: Bool = true,
    _ body: @Sendable (HTTP3Transport, CuttableRelay) async throws -> Void
  ) async throws {
    try await HTTP3TestServer.run(handler: { exchange in
      try? await exchange.respond(HTTPResponse(status: .ok))
      try? await exchange.write([1])
      await gate.wait()
      try? await exchange.write([2])
      try? await exchange.finish()
    }) { server in
      let relay = try CuttableRelay(to: server.port)
      defer { relay.stop() }
      var configuration = HTTP3TransportConfiguration.patient
      configuration.replacesSilentConnections = replacesSilent
      let transport = HTTP3Transport(
        origin: Origin(scheme: .https, host: "127.0.0.1", port: relay.port),
        tls: TLSOptions(trust: .certificates(pem: server.certificate.certificatePEM)), logger: .quiet,
        configuration: configuration, resumption: store)
      try await body(transport, relay)
      gate.open()
      await transport.close()
    }
  }

  @Test func anotherConnectionTakesItsPlace() async throws {
    let gate = Gate()
    try await run(gate) { transport, relay in
      let response = try await transport.send(HTTPRequest(path: "/"))
      var chunks = response.body.makeAsyncIterator()
      #expect(try await chunks.next() == [1])
      relay.setCut(true, client: 1)
      transport.setResponseExpected(true)
      let code = try await failureCode { _ = try await chunks.next() }
      #expect(code == .superseded)
      gate.open()
      let again = try await transport.send(HTTPRequest(path: "/"))
      #expect(try await again.body.collect(upTo: 10) == [1, 2])
      #expect(again.connection.remoteAddress == response.connection.remoteAddress)
    }
  }

  /// An event stream is asked for again when its path falls silent, beside the handshake that looks for another one.
  @Test func whatIsAskedForAgainOnASilentPathIsEarlyData() async throws {
    let gate = Gate()
    try await run(gate) { transport, relay in
      let response = try await transport.send(HTTPRequest(path: "/"))
      var chunks = response.body.makeAsyncIterator()
      #expect(try await chunks.next() == [1])
      #expect(response.connection.resumption == .none)
      await until { await store.ticketCount(transport.origin) != 0 }
      relay.setCut(true, client: 1)
      transport.setResponseExpected(true)
      try await transport.improvement(over: response.connection)
      gate.open()
      let again = try await transport.send(HTTPRequest(path: "/"))
      #expect(again.connection.resumption == .earlyDataAccepted)
      #expect(try await again.body.collect(upTo: 10) == [1, 2])
      let code = try await failureCode { _ = try await chunks.next() }
      #expect(code == .superseded)
    }
  }

  @Test func aPathThatAnswersAgainKeepsItsConnection() async throws {
    let gate = Gate()
    try await run(gate) { transport, relay in
      let response = try await transport.send(HTTPRequest(path: "/"))
      var chunks = response.body.makeAsyncIterator()
      #expect(try await chunks.next() == [1])
      let (news, tell) = AsyncStream.makeStream(of: PathHealth.self)
      transport.watchPath { tell.yield($0) }
      // Nobody else gets through either.
      for client in 1...30 { relay.setCut(true, client: client) }
      transport.setResponseExpected(true)
      var reported = news.makeAsyncIterator()
      #expect(await reported.next() == .suspect)
      #expect(await transport.snapshot() == nil, "new requests go elsewhere")
      relay.setCut(false, client: 1)
      #expect(await reported.next() == .answers)
      gate.open()
      #expect(try await chunks.next() == [2])
      #expect(try await chunks.next() == nil)
    }
  }

  /// Without a replacement new requests wait for the path as well, and there is one connection from first to last.
  @Test func whereNoneIsWantedNoOtherConnectionIsTried() async throws {
    let gate = Gate()
    try await run(gate, replacesSilent: false) { transport, relay in
      let response = try await transport.send(HTTPRequest(path: "/"))
      var chunks = response.body.makeAsyncIterator()
      #expect(try await chunks.next() == [1])
      let (news, tell) = AsyncStream.makeStream(of: PathHealth.self)
      transport.watchPath { tell.yield($0) }
      relay.setCut(true, client: 1)
      transport.setResponseExpected(true)
      var reported = news.makeAsyncIterator()
      #expect(await reported.next() == .suspect)
      async let second = transport.send(HTTPRequest(path: "/"))
      relay.setCut(false, client: 1)
      #expect(await reported.next() == .answers)
      gate.open()
      #expect(try await chunks.next() == [2])
      #expect(try await chunks.next() == nil)
      #expect(try await second.body.collect(upTo: 10) == [1, 2])
      #expect(relay.clientCount == 1)
    }
  }
}
