import HTTP3Engine
import HTTPTypes
import StreamTransport
import TestSupport
import Testing

/// Evictions when clients make a server hold too much.
@Suite(.timeLimit(.minutes(10))) struct ServerMemoryTests {
  private let limited = LimitedServer()

  /// Of two bodies that nobody reads the larger goes, and the rest of its connection stays.
  @Test func theRequestThatHoldsMostGoesWhenMemoryIsShort() async throws {
    try await limited.run(
      { $0.limits.maximumHeldBytesPerPrefix = HTTP3Limits.connectionCost + 300 << 10 },
      handler: { exchange in
        try? await waitForCancellation()
        withExtendedLifetime(exchange) {}
      }
    ) { server in
      let client = try await server.client()
      #expect(await client.outcome == nil)
      func begin(_ size: Int) async throws -> StreamID {
        let id = try await client.send("/", method: "POST", endStream: false)
        try await client.perform {
          try $0.sendBody([UInt8](repeating: 1, count: size), on: id, endStream: false)
        }
        return id
      }
      let small = try await begin(50 << 10)
      await until { limited.recorder.level(of: "server_held_bytes") >= Double(HTTP3Limits.connectionCost + 40 << 10) }
      let large = try await begin(500 << 10)
      await until { await client.resets[large] != nil }
      #expect(await client.resets[large]?.code == .application(.excessiveLoad))
      #expect(await client.resets[small] == nil)
      #expect(await client.closed == nil)
    }
    #expect(limited.refusals == ["memory": 1])
  }

  /// Data that handlers queue and clients do not take counts too.
  @Test func aResponseThatIsNotTakenGoesWhenMemoryIsShort() async throws {
    try await limited.run(
      { $0.limits.maximumHeldBytesPerPrefix = HTTP3Limits.connectionCost + 300 << 10 },
      handler: { exchange in
        try? await exchange.respond(HTTPResponse(status: .ok))
        while (try? await exchange.write([UInt8](repeating: 7, count: 32 << 10))) != nil {}
      }
    ) { server in
      var manner = EngineClient.Manner()
      manner.consumes = false
      let client = try await server.client(manner: manner) { $0.streamWindow = 10_000 }
      #expect(await client.outcome == nil)
      let id = try await client.send("/")
      await until { await client.resets[id] != nil }
      #expect(await client.resets[id]?.code == .application(.excessiveLoad))
    }
    #expect(limited.refusals == ["memory": 1])
  }

  /// Connections alone may be too much; then the newest goes.
  @Test func aConnectionThatHoldsNothingElseIsClosedWhenMemoryIsShort() async throws {
    try await limited.run({ $0.limits.maximumHeldBytes = 2 * HTTP3Limits.connectionCost }) { server in
      var clients: [EngineClient] = []
      for _ in 0..<3 { clients.append(try await server.client()) }
      await until { await clients[2].closed != nil }
      #expect(await clients[2].closed?.code == .application(.excessiveLoad))
      #expect(await clients[0].closed == nil)
    }
    #expect(limited.refusals == ["memory": 1])
  }
}
