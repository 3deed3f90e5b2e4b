import HTTP3Engine
import HTTPTypes
import StreamTransport
import TestSupport
import Testing

/// Whom a server takes, over loopback, and who makes room.
@Suite(.timeLimit(.minutes(10))) struct ServerAdmissionTests {
  private let limited = LimitedServer()

  // MARK: Connections

  @Test func connectionsOfOneAddressAreLimitedAndThoseOfOthersAreTaken() async throws {
    try await limited.run({ $0.limits.maximumConnectionsPerPrefix = 2 }) { server in
      var clients: [EngineClient] = []
      for _ in 0..<2 { clients.append(try await server.client()) }
      for client in clients { #expect(await client.outcome == nil) }
      let third = try await server.client()
      #expect(await third.outcome?.code == .transport(.connectionRefused))
      let other = try await server.client(from: 2)
      #expect(await other.outcome == nil)
      // Whose connection is closed takes up no room, though the server answers its stray packets for a while.
      let now = clients[0].loop.now
      await clients[0].perform { $0.close(.noError, reason: "", at: now) }
      var again = try await server.client()
      while await again.outcome != nil { again = try await server.client() }
    }
    #expect(limited.refusals.keys.sorted() == ["prefixConnections"])
  }

  @Test func whenTheServerIsFullTheOneThatHasMostMakesRoom() async throws {
    try await limited.run({ $0.limits.maximumConnections = 3 }) { server in
      var crowd: [EngineClient] = []
      for _ in 0..<3 {
        let client = try await server.client()
        #expect(await client.outcome == nil)
        crowd.append(client)
      }
      let newcomer = try await server.client(from: 2)
      #expect(await newcomer.outcome == nil)
      await until { await crowd[2].closed != nil }
      #expect(await crowd[2].closed?.code == .application(.excessiveLoad))
      let id = try await newcomer.send("/")
      await until { await newcomer.completed.contains(id) }
      #expect(await crowd[0].closed == nil)
      #expect(await crowd[1].closed == nil)
    }
    #expect(limited.refusals == ["displacedConnections": 1])
  }

  /// Handshakes that stand still prove no address: they are nobody's, and end in their time.
  @Test func handshakesThatStandStillCountForNobody() async throws {
    try await limited.run({
      $0.limits.maximumConnectionsPerPrefix = 1
      $0.limits.handshakeTimeout = .seconds(10)
    }) { server in
      var open = EngineClient.Manner()
      open.leavesHandshakeOpen = true
      for _ in 0..<5 { _ = try await server.client(manner: open) }
      let client = try await server.client()
      #expect(await client.outcome == nil)
      await until { limited.recorder.counts(of: "server_connections_failed").values.reduce(0, +) >= 5 }
    }
    #expect(limited.refusals == [:])
  }

  /// Two servers of one process count together, and one's client makes room for the other's.
  @Test func serversThatShareALoadCountTogether() async throws {
    var limits = HTTP3Limits()
    limits.maximumConnections = 3
    let load = HTTP3ServerLoad(limits)
    try await limited.run({ $0.load = load }) { first in
      try await HTTP3TestServer.run(certificate: TestCertificate.ed25519, configure: { $0.load = load }) { second in
        var crowd: [EngineClient] = []
        for _ in 0..<3 {
          let client = try await first.client()
          #expect(await client.outcome == nil)
          crowd.append(client)
        }
        // The server has the end of a handshake a moment after its client.
        await until { load.connectionCount == 3 }
        let newcomer = try await second.client(from: 2)
        #expect(await newcomer.outcome == nil)
        await until { await crowd[2].closed != nil }
        #expect(load.connectionCount == 3)
      }
      await until { load.connectionCount == 2 }
    }
    #expect(load.connectionCount == 0 && load.heldBytes == 0)
  }

  // MARK: Half-open requests

  @Test func halfOpenRequestsOfOneAddressAreLimitedAndWholeOnesAreNot() async throws {
    try await limited.run({ $0.limits.maximumHalfOpenRequestsPerPrefix = 2 }) { server in
      let client = try await server.client()
      #expect(await client.outcome == nil)
      var halfOpen: [StreamID] = []
      for _ in 0..<2 {
        let id = try await client.send("/", method: "POST", endStream: false)
        await until { await client.statuses[id] != nil }
        halfOpen.append(id)
      }
      let third = try await client.send("/", method: "POST", endStream: false)
      await until { await client.resets[third] != nil }
      #expect(await client.resets[third]?.code == .application(.excessiveLoad))
      let whole = try await client.send("/")
      await until { await client.completed.contains(whole) }
      // One that is completed makes room.
      try await client.perform { [id = halfOpen[0]] in try $0.sendBody([1], on: id, endStream: true) }
      await until { await client.completed.contains(halfOpen[0]) }
      let fourth = try await client.send("/", method: "POST", endStream: false)
      await until { await client.statuses[fourth] != nil }
    }
    #expect(limited.refusals == ["prefixRequests": 1])
  }

  /// Nothing of it was processed, so it may be sent again.
  @Test func aRequestWithoutItsFieldsBeyondTheLimitIsRejected() async throws {
    try await limited.run({ $0.limits.maximumHalfOpenRequestsPerPrefix = 0 }) { server in
      let client = try await server.client() { $0.isRaw = true }
      #expect(await client.outcome == nil)
      let id = try #require(await client.beginRequest())
      await until { await client.rawResets[id] != nil }
      #expect(await client.rawResets[id] == ApplicationErrorCode.requestRejected.rawValue)
    }
    #expect(limited.refusals == ["prefixRequests": 1])
  }
}
