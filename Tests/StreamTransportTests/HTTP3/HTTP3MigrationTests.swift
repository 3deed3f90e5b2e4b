import HTTP3Engine
import HTTPTypes
import StreamTransport
import Synchronization
import TestSupport
import Testing

/// The client's part in a change of its network, between addresses of loopback.
@Suite(.timeLimit(.minutes(10))) struct HTTP3MigrationTests {
  /// A machine whose address, and the addresses that it still has, are the test's to say.
  private final class Machine: Sendable {
    private struct State {
      var address: NetworkAddress
      var own: Set<NetworkAddress.IP>
    }

    private let state = Mutex(State(address: Machine.address(1), own: [Machine.address(1).ip]))

    static func address(_ number: UInt32) -> NetworkAddress {
      NetworkAddress(ip: .v4(0x7f53_0700 + number), port: 0)
    }

    /// The way to the server leads from address `number` from now on.
    func move(to number: UInt32, keepsOld: Bool) {
      state.withLock { state in
        if !keepsOld { state.own = [] }
        state.address = Self.address(number)
        state.own.insert(state.address.ip)
      }
    }

    var network: LocalNetwork {
      LocalNetwork { [self] (remote: NetworkAddress) throws(SystemError) -> UDPSocket in
        try UDPSocket(connectingTo: remote, from: state.withLock { $0.address })
      } contains: { [self] address in
        state.withLock { $0.own.contains(address.ip) }
      }
    }
  }

  /// The address in use, and how many migrations led to it.
  private struct Place: Equatable {
    var address: UInt32?
    var migrations: Int?
  }

  /// A client that is connected from address 1.
  private struct Scene: Sendable {
    let machine: Machine
    let server: EngineServer
    let transport: HTTP3Transport

    func move(to number: UInt32, keepsOld: Bool) throws {
      machine.move(to: number, keepsOld: keepsOld)
      let loop = try transport.loop()
      loop.execute { loop.networkMonitor.suspectChange() }
    }

    func lose(from numbers: UInt32...) async {
      await server.lose(from: Set(numbers.map { Machine.address($0).ip }))
    }

    /// The connection's place; nil while it takes no requests.
    func place() async -> Place? {
      guard let snapshot = await transport.snapshot() else { return nil }
      let host = snapshot.localAddress?.split(separator: ":").first?.split(separator: ".").last
      return Place(address: host.flatMap { UInt32($0) }, migrations: snapshot.migrations)
    }

    func waitForMigration(_ count: Int) async {
      await until { await place()?.migrations == count }
    }

    func request() async throws {
      let response = try await transport.send(HTTPRequest(path: "/"))
      #expect(response.head.status == .noContent)
    }

    /// Runs `body` while a request waits for its answer; it receives the path's news.
    func whileWaiting(_ body: (inout AsyncStream<PathHealth>.Iterator) async throws -> Void) async throws {
      let (news, tell) = AsyncStream.makeStream(of: PathHealth.self)
      transport.watchPath { tell.yield($0) }
      let before = await server.requests.count
      let waiting = Task { [transport] in try await transport.send(HTTPRequest(path: EngineServer.unanswered)) }
      await until { await server.requests.count != before }
      var reported = news.makeAsyncIterator()
      try await body(&reported)
      waiting.cancel()
      _ = await waiting.result
    }
  }

  private func run(
    configure: (inout ServerConfiguration) -> Void = { _ in }, _ body: @Sendable (Scene) async throws -> Void
  ) async throws {
    let certificate = try DevelopmentCertificate.make()
    try await EngineServer.run(certificate, configure: configure) { server in
      let machine = Machine()
      let transport = HTTP3Transport(
        origin: Origin(scheme: .https, host: "127.0.0.1", port: server.port),
        tls: TLSOptions(trust: .certificates(pem: certificate.certificatePEM)), logger: .quiet,
        // Else another connection is the answer to all that goes wrong.
        configuration: .patient, network: machine.network, resolve: NameResolver.standard)
      let scene = Scene(machine: machine, server: server, transport: transport)
      try await scene.request()
      #expect(await scene.place() == Place(address: 1, migrations: 0))
      try await body(scene)
      #expect(await server.connectionCount == 1)
      await transport.close()
    }
  }

  @Test(arguments: [true, false]) func theConnectionGoesWhereTheMachineGoes(keepsOld: Bool) async throws {
    try await run { scene in
      for number in UInt32(2)...4 {
        try scene.move(to: number, keepsOld: keepsOld)
        await scene.waitForMigration(Int(number) - 1)
        #expect(await scene.place()?.address == number)
        try await scene.request()
      }
    }
  }

  @Test func aHintWithoutAChangeMovesNothing() async throws {
    try await run { scene in
      try scene.move(to: 1, keepsOld: true)
      try scene.move(to: 2, keepsOld: true)
      await scene.waitForMigration(1)
      #expect(await scene.place() == Place(address: 2, migrations: 1))
    }
  }

  @Test func aNewPathThatCarriesNothingIsNotTaken() async throws {
    try await run { scene in
      await scene.lose(from: 2)
      try scene.move(to: 2, keepsOld: true)
      await until { await scene.server.unheardCount != 0 }
      try await scene.request()
      #expect(await scene.place() == Place(address: 1, migrations: 0))
      // The next change finds its way, be the first one still tried or given up.
      try scene.move(to: 3, keepsOld: true)
      await scene.waitForMigration(1)
      #expect(await scene.place() == Place(address: 3, migrations: 1))
      try await scene.request()
    }
  }

  /// While the new path is tried, the old address goes away: nothing is left to stay on.
  @Test func anAddressThatGoesAwayMeanwhileIsLeftAtOnce() async throws {
    try await run { scene in
      await scene.lose(from: 2)
      try await scene.whileWaiting { reported in
        try scene.move(to: 2, keepsOld: true)
        await until { await scene.server.unheardCount != 0 }
        try scene.move(to: 2, keepsOld: false)
        #expect(await reported.next() == .suspect, "what is sent from the new address is lost")
        await scene.lose()
        #expect(await reported.next() == .answers)
        #expect(await scene.place()?.address == 2)
      }
    }
  }

  @Test func whereTheServerForbidsItALostAddressMakesThePathSuspect() async throws {
    try await run(configure: { $0.connection.forbidsMigration = true }) { scene in
      try await scene.whileWaiting { reported in
        try scene.move(to: 2, keepsOld: true)
        try await scene.request()
        #expect(await scene.place() == Place(address: 1, migrations: 0))
        try scene.move(to: 2, keepsOld: false)
        #expect(await reported.next() == .suspect)
        #expect(await scene.server.unheardCount == 0)
      }
    }
  }
}
