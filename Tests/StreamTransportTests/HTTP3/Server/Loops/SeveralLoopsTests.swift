import HTTP3Engine
import HTTPTypes
import MetricsTestKit
import Synchronization
import TestSupport
import Testing

@testable import StreamTransport

/// A server on several loops, over loopback.
@Suite(.timeLimit(.minutes(10))) struct SeveralLoopsTests {
  /// Answers requests, and remembers the connections that they came over.
  private final class Served: Sendable {
    private let keys = Mutex<[UInt64]>([])

    var handler: HTTP3TestServer.Handler {
      { exchange in
        self.keys.withLock { $0.append(exchange.connectionID) }
        await HTTP3TestServer.echo(exchange)
      }
    }

    /// The connections of the requests, in their order.
    var connections: [UInt64] { keys.withLock { $0 } }

    /// The loops of the requests, of so many.
    func loops(of count: UInt64) -> [UInt64] { connections.map { $0 % count } }
  }

  private let recorder = TestMetrics()
  private let served = Served()

  private var handedOn: [String: Int64] { recorder.counts(of: "server_packets_handed_on") }

  private func run(
    _ loops: Int, _ change: (inout HTTP3ServerConfiguration) -> Void = { _ in },
    body: @Sendable (HTTP3TestServer) async throws -> Void
  ) async throws {
    try await HTTP3TestServer.run(
      certificate: TestCertificate.ed25519, metrics: TransportMetrics(factory: recorder),
      configure: {
        $0.options.loops = loops
        change(&$0)
      }, handler: served.handler, body: body)
  }

  /// A connection, and a request that is answered over it.
  private static func connect(_ server: HTTP3TestServer) async throws -> EngineClient {
    let client = try await server.client()
    #expect(await client.outcome == nil)
    try await ask(client)
    return client
  }

  private static func ask(_ client: EngineClient) async throws {
    let id = try await client.send("/")
    await waitForEnd(of: id, client)
    #expect(await client.isServed(on: id))
  }

  private static func waitForEnd(of id: StreamID, _ client: EngineClient) async {
    await until {
      if await client.completed.contains(id) { return true }
      return await client.closed != nil
    }
  }

  @Test func connectionsAreSharedOutAmongTheLoops() async throws {
    try await run(2) { server in
      var clients: [EngineClient] = []
      for _ in 0..<64 { clients.append(try await Self.connect(server)) }
      let loops = served.loops(of: 2)
      for client in clients { try await Self.ask(client) }
      #expect(served.loops(of: 2) == loops + loops, "each connection stays on its loop")
      #expect(Set(served.connections).count == 64)
      // That one has fewer happens once in three million runs.
      let share = loops.count { $0 == 0 }
      print("of 64 connections \(share) are on the first loop")
      #expect((12...52).contains(share))
    }
    #expect(handedOn == [:], "the kernel has found the loop of each packet")
  }

  // MARK: The wrong loop

  /// The kernel's program is changed by a socket that it never chooses: about half of all packets come to the wrong loop.
  @Test func whatComesToTheWrongLoopIsHandedOn() async throws {
    try await run(2) { server in
      let stranger = try UDPSocket(bindingTo: .loopback(port: UInt16(clamping: server.port)), joining: true)
      try stranger.steer(LoopSteering(loopCount: 2, multiplier: 0x9e37_79b9))
      var clients: [EngineClient] = []
      for _ in 0..<16 { clients.append(try await Self.connect(server)) }
      for client in clients { try await Self.ask(client) }
      #expect(Set(served.connections).count == 16)
      stranger.close()
    }
    #expect(handedOn["taken", default: 0] > 0)
    #expect(handedOn["lost"] == nil)
  }

  /// A packet of no connection has one answer, whichever loop receives it.
  @Test func aPacketOfNobodysIsAnsweredOnce() async throws {
    let answers = Mutex(0)
    try await run(2) { server in
      let port = UInt16(clamping: server.port)
      let stranger = try UDPSocket(bindingTo: .loopback(port: port), joining: true)
      try stranger.steer(LoopSteering(loopCount: 2, multiplier: 0x9e37_79b9))
      let peer = try UDPSocket(connectingTo: .loopback(port: port))
      let random = RandomSource(SeededGenerator(seed: 4))
      for _ in 0..<40 { #expect(peer.send([0x40] + random.bytes(59)) == .done) }
      let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 4 * UDPSocket.slotSize, alignment: 16)
      defer { buffer.deallocate() }
      await until {
        _ = peer.receive(into: buffer) { _, _, _ in answers.withLock { $0 += 1 } }
        return answers.withLock { $0 } >= 40
      }
      stranger.close()
    }
    #expect(recorder.counts(of: "server_stateless_replies") == ["statelessReset": 40])
    #expect(handedOn["taken", default: 0] > 0)
  }

  /// The indices of the sockets change with the one that is closed, and its connections alone end.
  @Test func theOtherLoopsContinueWhereOneCloses() async throws {
    let certificate = TestCertificate.ed25519
    var configuration = HTTP3ServerConfiguration(
      address: "127.0.0.1", port: 0, certificatePEM: certificate.certificatePEM,
      privateKeyPEM: certificate.privateKeyPEM)
    configuration.options.loops = 3
    let setup = try ServerSetup(
      configuration, secrets: StartingSecrets(secrets: [], takesEarlyData: true), logger: .quiet,
      metrics: TransportMetrics(factory: recorder).server, refused: nil, handler: served.handler)
    let loops = try ServerLoops(setup, at: [.loopback(port: 0)])
    try await loops.open()
    let server = HTTP3TestServer(
      server: HTTP3Server(configuration, logger: .quiet, handler: served.handler), host: "127.0.0.1", port: loops.port,
      certificate: certificate)
    var clients: [EngineClient] = []
    for _ in 0..<48 { clients.append(try await Self.connect(server)) }
    let places = served.loops(of: 3)
    #expect(Set(places) == [0, 1, 2])
    await loops.drivers[0].close()
    for (client, place) in zip(clients, places) where place != 0 {
      try await Self.ask(client)
      #expect(served.loops(of: 3).last == place)
    }
    await loops.close()
    print("after a loop's close \(handedOn) packets were handed on")
  }

  // MARK: Changes of the network

  @Test func aClientThatMovesStaysOnItsLoop() async throws {
    let host = Mutex<UInt32>(1)
    let network = LocalNetwork { (remote: NetworkAddress) throws(SystemError) -> UDPSocket in
      try UDPSocket(
        connectingTo: remote, from: NetworkAddress(ip: .v4(0x7f53_0900 + host.withLock { $0 }), port: 0))
    } contains: { _ in
      true
    }
    try await run(4) { server in
      let transport = HTTP3Transport(
        origin: Origin(scheme: .https, host: "127.0.0.1", port: server.port),
        tls: TLSOptions(trust: .certificates(pem: server.certificate.certificatePEM)), logger: .quiet,
        configuration: .patient, network: network, resolve: NameResolver.standard)
      _ = try await transport.send(HTTPRequest(path: "/")).body.collect(upTo: 0)
      for count in 1...4 {
        host.withLock { $0 += 1 }
        let loop = try transport.loop()
        loop.execute { loop.networkMonitor.suspectChange() }
        await until { await transport.snapshot()?.migrations == count }
        _ = try await transport.send(HTTPRequest(path: "/")).body.collect(upTo: 0)
      }
      await transport.close()
    }
    #expect(served.connections.count == 5 && Set(served.connections).count == 1)
    #expect(handedOn == [:])
  }

  /// A translator on the way gives the client another port.
  @Test func aClientWhosePortChangesStaysOnItsLoop() async throws {
    try await run(4) { server in
      let relay = try CuttableRelay(to: server.port)
      let behind = HTTP3TestServer(
        server: server.server, host: server.host, port: relay.port, certificate: server.certificate)
      let transport = behind.makeTransport()
      for count in 0..<8 {
        let body = [UInt8](repeating: UInt8(count), count: 3_000)
        let response = try await transport.send(HTTPRequest(.post, path: "/"), body: .bytes(body))
        #expect(try await response.body.collect(upTo: 3_000) == body)
        await relay.rebind()
      }
      await transport.close()
      relay.stop()
    }
    #expect(served.connections.count == 8 && Set(served.connections).count == 1)
    #expect(handedOn == [:])
  }

  // MARK: What the loops share

  /// How a request with a ticket of the store came to the server; returns once the store has another ticket.
  private static func resumption(_ server: HTTP3TestServer, _ store: ResumptionStore) async throws -> Resumption {
    let transport = server.makeTransport(resumption: store)
    let response = try await transport.send(HTTPRequest(path: "/"))
    _ = try await response.body.collect(upTo: 0)
    await until { await store.ticketCount(transport.origin) >= 1 }
    await transport.close()
    return response.connection.resumption
  }

  @Test func ticketsAreGoodOnAllLoops() async throws {
    try await run(2) { server in
      let store = ResumptionStore.patient
      let first = try await Self.resumption(server, store)
      #expect(first == .none)
      for _ in 0..<24 {
        let later = try await Self.resumption(server, store)
        #expect(later == .earlyDataAccepted)
      }
    }
    #expect(Set(served.loops(of: 2)) == [0, 1])
  }

  @Test func secretsAreReplacedOnAllLoops() async throws {
    try await run(
      2,
      {
        $0.options.secrets = [[UInt8](repeating: 5, count: 32)]
        $0.options.takesEarlyDataUnderGivenSecrets = true
      }
    ) { server in
      let stores = (0..<24).map { _ in ResumptionStore.patient }
      for store in stores { #expect(try await Self.resumption(server, store) == .none) }
      try await server.server.use(secrets: [[UInt8](repeating: 6, count: 32)])
      for store in stores { #expect(try await Self.resumption(server, store) == .earlyDataRefused) }
    }
    #expect(Set(served.loops(of: 2)) == [0, 1])
  }

  @Test func theLimitOfAPrefixIsTheServers() async throws {
    try await run(4, { $0.limits.maximumConnectionsPerPrefix = 2 }) { server in
      var clients: [EngineClient] = []
      for _ in 0..<2 { clients.append(try await Self.connect(server)) }
      for _ in 0..<8 {
        let another = try await server.client()
        #expect(await another.outcome?.code == .transport(.connectionRefused))
      }
      for client in clients { try await Self.ask(client) }
    }
    #expect(recorder.level(of: "server_connections") == 0)
  }

  @Test func drainingWaitsForTheRequestsOfAllLoops() async throws {
    let gate = Gate()
    try await HTTP3TestServer.run(
      certificate: TestCertificate.ed25519, configure: { $0.options.loops = 2 },
      handler: { exchange in
        try? await exchange.respond(HTTPResponse(status: .ok))
        await gate.wait()
        try? await exchange.finish()
      }
    ) { server in
      var requests: [(client: EngineClient, id: StreamID)] = []
      for _ in 0..<16 {
        let client = try await server.client()
        #expect(await client.outcome == nil)
        let id = try await client.send("/")
        await until { await client.statuses[id] != nil }
        requests.append((client, id))
      }
      await server.server.goAway()
      async let drained: Void = server.server.drain(within: .seconds(300))
      gate.open()
      await drained
      for (client, id) in requests {
        await Self.waitForEnd(of: id, client)
        #expect(await client.completed.contains(id))
      }
    }
  }

  /// An id that load balancers read without a key leaves too few bytes for that of a loop.
  @Test(arguments: [1, 2]) func aLongServerIDWithoutAKeyIsForOneLoop(_ count: Int) async throws {
    let code = try await failureCode {
      try await run(count, { $0.options.loadBalancing = QUICLoadBalancing(serverID: [1, 2, 3, 4]) }) { server in
        _ = try await Self.connect(server)
      }
    }
    #expect(code == (count == 1 ? nil : .invalidRequest))
  }

  @Test(arguments: [0, -1, 65]) func aNumberOfLoopsThatNoServerHasIsRefused(_ count: Int) async throws {
    let code = try await failureCode { try await run(count) { _ in } }
    #expect(code == .invalidRequest)
  }
}
