import HTTP3Engine
import HTTPTypes
import MetricsTestKit
import StreamTransport
import TestSupport
import Testing

/// What a server refuses and ends, over loopback, seen by engines that leave open what others would not.
@Suite(.timeLimit(.minutes(1))) struct ServerLimitTests {
  private let recorder = TestMetrics()
  private static let certificate = TestCertificate.ed25519

  private static func source(_ last: UInt32) -> NetworkAddress.IP { .v4(0x7f00_0100 + last) }

  private func run(
    _ change: (inout HTTP3ServerConfiguration) -> Void, handler: @escaping HTTP3TestServer.Handler = HTTP3TestServer.echo,
    body: @Sendable (HTTP3TestServer) async throws -> Void
  ) async throws {
    try await HTTP3TestServer.run(
      certificate: Self.certificate, metrics: TransportMetrics(factory: recorder), configure: change, handler: handler,
      body: body)
    // Whatever happened, nothing counts for ever.
    #expect(recorder.level(of: "server_connections") == 0)
    #expect(recorder.level(of: "server_half_open_requests") == 0)
    #expect(recorder.level(of: "server_held_bytes") == 0)
  }

  private static func client(
    _ server: HTTP3TestServer, from last: UInt32 = 1, manner: EngineClient.Manner = .init(),
    _ configure: (inout ConnectionConfiguration) -> Void = { _ in }
  ) async throws -> EngineClient {
    try await EngineClient.connect(
      to: server.port, from: source(last),
      trusting: CertificateVerifier(.authorities(pem: Array(certificate.certificatePEM.utf8))), manner: manner,
      configure: configure)
  }

  /// Connects; the error is how the server refused it.
  private static func outcome(_ client: EngineClient) async -> HTTP3Error? {
    await until { await client.isEstablished || client.closed != nil }
    return await client.closed
  }

  private func refusals() -> [String: Int64] { recorder.counts(of: "server_refusals") }

  // MARK: Connections

  @Test func connectionsOfOneAddressAreLimitedAndThoseOfOthersAreTaken() async throws {
    try await run({ $0.limits.maximumConnectionsPerPrefix = 2 }) { server in
      var clients: [EngineClient] = []
      for _ in 0..<2 { clients.append(try await Self.client(server)) }
      for client in clients { #expect(await Self.outcome(client) == nil) }
      let third = try await Self.client(server)
      #expect(await Self.outcome(third)?.code == .transport(.connectionRefused))
      let other = try await Self.client(server, from: 2)
      #expect(await Self.outcome(other) == nil)
      // Whose connection is closed takes up no room, though the server answers its stray packets for a while.
      try await clients[0].perform { [now = await clients[0].loop.now] in $0.close(.noError, reason: "", at: now) }
      var again = try await Self.client(server)
      while await Self.outcome(again) != nil { again = try await Self.client(server) }
    }
    #expect(refusals().keys.sorted() == ["prefixConnections"])
  }

  @Test func whenTheServerIsFullTheOneThatHasMostMakesRoom() async throws {
    try await run({ $0.limits.maximumConnections = 3 }) { server in
      var crowd: [EngineClient] = []
      for _ in 0..<3 {
        let client = try await Self.client(server)
        #expect(await Self.outcome(client) == nil)
        crowd.append(client)
      }
      let newcomer = try await Self.client(server, from: 2)
      #expect(await Self.outcome(newcomer) == nil)
      await until { await crowd[2].closed != nil }
      #expect(await crowd[2].closed?.code == .application(.excessiveLoad))
      let id = try await newcomer.send("/")
      await until { await newcomer.completed.contains(id) }
      #expect(await crowd[0].closed == nil)
      #expect(await crowd[1].closed == nil)
    }
    #expect(refusals() == ["displacedConnections": 1])
  }

  /// Handshakes that stand still prove no address: they are nobody's, and end in their time.
  @Test func handshakesThatStandStillCountForNobody() async throws {
    try await run({
      $0.limits.maximumConnectionsPerPrefix = 1
      $0.limits.handshakeTimeout = .milliseconds(500)
    }) { server in
      var open = EngineClient.Manner()
      open.leavesHandshakeOpen = true
      for _ in 0..<5 { _ = try await Self.client(server, manner: open) }
      let client = try await Self.client(server)
      #expect(await Self.outcome(client) == nil)
      await until { recorder.counts(of: "server_connections_failed").values.reduce(0, +) == 5 }
    }
    #expect(refusals() == [:])
  }

  /// Two servers of one process count together, and one's client makes room for the other's.
  @Test func serversThatShareALoadCountTogether() async throws {
    var limits = HTTP3Limits()
    limits.maximumConnections = 3
    let load = HTTP3ServerLoad(limits)
    try await run({ $0.load = load }) { first in
      try await HTTP3TestServer.run(certificate: Self.certificate, configure: { $0.load = load }) { second in
        var crowd: [EngineClient] = []
        for _ in 0..<3 {
          let client = try await Self.client(first)
          #expect(await Self.outcome(client) == nil)
          crowd.append(client)
        }
        #expect(load.connectionCount == 3)
        let newcomer = try await Self.client(second, from: 2)
        #expect(await Self.outcome(newcomer) == nil)
        await until { await crowd[2].closed != nil }
        #expect(load.connectionCount == 3)
      }
      #expect(load.connectionCount == 2)
    }
    #expect(load.connectionCount == 0 && load.heldBytes == 0)
  }

  // MARK: Half-open requests

  @Test func halfOpenRequestsOfOneAddressAreLimitedAndWholeOnesAreNot() async throws {
    try await run({ $0.limits.maximumHalfOpenRequestsPerPrefix = 2 }) { server in
      let client = try await Self.client(server)
      #expect(await Self.outcome(client) == nil)
      var halfOpen: [StreamID] = []
      for _ in 0..<2 {
        let id = try await client.send("POST", "/", endStream: false)
        await until { await client.statuses[id] != nil }
        halfOpen.append(id)
      }
      let third = try await client.send("POST", "/", endStream: false)
      await until { await client.resets[third] != nil }
      #expect(await client.resets[third]?.code == .application(.excessiveLoad))
      let whole = try await client.send("/")
      await until { await client.completed.contains(whole) }
      // One that is completed makes room.
      try await client.perform { [id = halfOpen[0]] in try $0.sendBody([1], on: id, endStream: true) }
      await until { await client.completed.contains(halfOpen[0]) }
      let fourth = try await client.send("POST", "/", endStream: false)
      await until { await client.statuses[fourth] != nil }
    }
    #expect(refusals() == ["prefixRequests": 1])
  }

  /// Nothing of it was processed, so it may be sent again.
  @Test func aRequestWithoutItsFieldsBeyondTheLimitIsRejected() async throws {
    try await run({ $0.limits.maximumHalfOpenRequestsPerPrefix = 0 }) { server in
      let client = try await Self.client(server) { $0.isRaw = true }
      #expect(await Self.outcome(client) == nil)
      let id = try #require(await client.beginRequest())
      await until { await client.rawResets[id] != nil }
      #expect(await client.rawResets[id] == ApplicationErrorCode.requestRejected.rawValue)
    }
    #expect(refusals() == ["prefixRequests": 1])
  }

  // MARK: Time

  @Test func fieldsThatDoNotComeInTimeEndTheRequest() async throws {
    try await run({ $0.limits.headerTimeout = .milliseconds(100) }) { server in
      let client = try await Self.client(server) { $0.isRaw = true }
      #expect(await Self.outcome(client) == nil)
      let id = try #require(await client.beginRequest())
      await until { await client.rawResets[id] != nil }
      #expect(await client.rawResets[id] == ApplicationErrorCode.requestIncomplete.rawValue)
      #expect(await client.closed == nil)
    }
    #expect(refusals() == ["headerTimeout": 1])
  }

  @Test func aBodyThatDoesNotComeInTimeIsAnsweredWith408BeforeTheResponse() async throws {
    let cancelled = Gate()
    try await run(
      { $0.limits.bodyTimeout = .milliseconds(100) },
      handler: { exchange in
        do {
          for try await _ in exchange.body {}
        } catch let error as TransportError {
          #expect(error.code == .idleTimeout)
          cancelled.open()
        } catch {}
      }
    ) { server in
      let client = try await Self.client(server)
      #expect(await Self.outcome(client) == nil)
      let id = try await client.send("POST", "/", endStream: false)
      await until { await client.completed.contains(id) }
      #expect(await client.statuses[id] == "408")
      await cancelled.wait()
    }
    #expect(refusals() == ["bodyTimeout": 1])
  }

  @Test func aBodyThatDoesNotComeInTimeBehindTheResponsesFieldsIsReset() async throws {
    try await run({ $0.limits.bodyTimeout = .milliseconds(100) }) { server in
      let client = try await Self.client(server)
      #expect(await Self.outcome(client) == nil)
      let id = try await client.send("POST", "/", endStream: false)
      await until { await client.resets[id] != nil }
      #expect(await client.resets[id]?.code == .application(.requestIncomplete))
      #expect(await client.statuses[id] == "200")
    }
    #expect(refusals() == ["bodyTimeout": 1])
  }

  /// The client acknowledges every packet and gives no credit: for a body, and for the response's very fields.
  @Test(arguments: [UInt64(1_000), 0]) func aResponseWithoutCreditIsReset(window: UInt64) async throws {
    let failed = Gate()
    try await run(
      { $0.limits.writeTimeout = .milliseconds(200) },
      handler: { exchange in
        do {
          try await exchange.respond(HTTPResponse(status: .ok))
          while true { try await exchange.write([UInt8](repeating: 7, count: 64 << 10)) }
        } catch {
          failed.open()
        }
      }
    ) { server in
      var manner = EngineClient.Manner()
      manner.consumes = false
      let client = try await Self.client(server, manner: manner) {
        $0.streamWindow = window
        $0.keepAlive = .milliseconds(100)
      }
      #expect(await Self.outcome(client) == nil)
      let id = try await client.send("/")
      await failed.wait()
      await until { await client.resets[id] != nil }
      #expect(await client.resets[id]?.code == .application(.requestCancelled))
      #expect(await client.closed == nil)
    }
    #expect(refusals() == ["writeTimeout": 1])
  }

  /// Its event comes long after both limits have passed several times.
  @Test func anEventStreamMayBeSilent() async throws {
    let speaks = Gate()
    try await run(
      {
        $0.limits.writeTimeout = .milliseconds(50)
        $0.limits.bodyTimeout = .milliseconds(50)
        $0.limits.headerTimeout = .milliseconds(50)
      },
      handler: { exchange in
        try? await exchange.respond(HTTPResponse(status: .ok))
        if exchange.request.path == "/stalls" { return try! await waitForCancellation() }
        await speaks.wait()
        try? await exchange.write([1])
        try? await exchange.finish()
      }
    ) { server in
      let client = try await Self.client(server)
      #expect(await Self.outcome(client) == nil)
      let silent = try await client.send("/")
      await until { await client.statuses[silent] != nil }
      // Three time-outs one after the other, on which no event depends.
      let other = try await Self.client(server, from: 2)
      for _ in 0..<3 {
        let id = try await other.send("POST", "/stalls", endStream: false)
        await until { await other.resets[id] != nil }
      }
      speaks.open()
      await until { await client.completed.contains(silent) }
      #expect(await client.received[silent] == 1)
    }
  }

  // MARK: Memory

  /// Of two bodies that nobody reads the larger goes, and the rest of its connection stays.
  @Test func theRequestThatHoldsMostGoesWhenMemoryIsShort() async throws {
    try await run(
      { $0.limits.maximumHeldBytesPerPrefix = HTTP3Limits.connectionCost + 300 << 10 },
      handler: { exchange in
        try? await waitForCancellation()
        withExtendedLifetime(exchange) {}
      }
    ) { server in
      let client = try await Self.client(server)
      #expect(await Self.outcome(client) == nil)
      func begin(_ size: Int) async throws -> StreamID {
        let id = try await client.send("POST", "/", endStream: false)
        try await client.perform {
          try $0.sendBody([UInt8](repeating: 1, count: size), on: id, endStream: false)
        }
        return id
      }
      let small = try await begin(50 << 10)
      await until { recorder.level(of: "server_held_bytes") >= Double(HTTP3Limits.connectionCost + 40 << 10) }
      let large = try await begin(500 << 10)
      await until { await client.resets[large] != nil }
      #expect(await client.resets[large]?.code == .application(.excessiveLoad))
      #expect(await client.resets[small] == nil)
      #expect(await client.closed == nil)
    }
    #expect(refusals() == ["memory": 1])
  }

  /// What handlers queue and clients do not take counts too.
  @Test func aResponseThatIsNotTakenGoesWhenMemoryIsShort() async throws {
    try await run(
      { $0.limits.maximumHeldBytesPerPrefix = HTTP3Limits.connectionCost + 300 << 10 },
      handler: { exchange in
        try? await exchange.respond(HTTPResponse(status: .ok))
        while (try? await exchange.write([UInt8](repeating: 7, count: 32 << 10))) != nil {}
      }
    ) { server in
      var manner = EngineClient.Manner()
      manner.consumes = false
      let client = try await Self.client(server, manner: manner) { $0.streamWindow = 10_000 }
      #expect(await Self.outcome(client) == nil)
      let id = try await client.send("/")
      await until { await client.resets[id] != nil }
      #expect(await client.resets[id]?.code == .application(.excessiveLoad))
    }
    #expect(refusals() == ["memory": 1])
  }

  /// Connections alone may be too much; then the newest goes.
  @Test func aConnectionThatHoldsNothingElseIsClosedWhenMemoryIsShort() async throws {
    try await run({ $0.limits.maximumHeldBytes = 2 * HTTP3Limits.connectionCost }) { server in
      var clients: [EngineClient] = []
      for _ in 0..<3 {
        let client = try await Self.client(server)
        #expect(await Self.outcome(client) == nil)
        clients.append(client)
      }
      await until { await clients[2].closed != nil }
      #expect(await clients[2].closed?.code == .application(.excessiveLoad))
      #expect(await clients[0].closed == nil)
    }
    #expect(refusals() == ["memory": 1])
  }
}
