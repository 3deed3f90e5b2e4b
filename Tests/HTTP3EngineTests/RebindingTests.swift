import HTTP3Engine
import LinkModel
import TestSupport
import Testing

/// A translator on the way gives the client another port or address, without the client's knowing.
@Suite struct RebindingTests {
  static let port = NetworkAddress(ip: .v4(0x0a00_0001), port: 41_000)
  static let address = NetworkAddress(ip: .v4(0x0a00_0007), port: 41_000)

  @Test(arguments: [port, address])
  func aBusyStreamContinues(_ outside: NetworkAddress) throws {
    let pair = try QUICPair.make()
    let stream = TickingStream(on: pair)
    try stream.open()
    try stream.tick(20, every: MigrationTests.interval)
    pair.translator.rebind(pair.clientPath.local, to: outside)
    try stream.tick(200, every: MigrationTests.interval)
    try stream.settle()
    #expect(stream.isExact)
    #expect(stream.connectionCount == 1)
    #expect(pair.client.currentPath == pair.clientPath)
    let gap = stream.gap(beyond: MigrationTests.interval)
    print("rebinding to \(outside), an event every 10 ms: a gap of \(gap)")
    #expect(gap <= MigrationTests.roundTrip * 4)
  }

  /// Nothing can be sent to port 0, so nothing is made of what claims to come from there.
  @Test func nobodyIsAtPort0() throws {
    let pair = try QUICPair.make()
    pair.translator.rebind(pair.clientPath.local, to: NetworkAddress(ip: Self.port.ip, port: 0))
    #expect(throws: QUICPair.TimedOut.self) { try pair.run { pair.server.connectionCount > 0 } }
  }

  /// The next PING tells the server, which then has to see that the new address answers before it sends much.
  @Test(arguments: [port, address])
  func aClientThatOnlyListensIsFoundByItsPing(_ outside: NetworkAddress) throws {
    let silence = Duration.seconds(1)
    let pair = try QUICPair.make(clientLimits: { $0.keepAlive = silence })
    let stream = TickingStream(on: pair)
    try stream.open()
    try stream.tick(3, every: .milliseconds(200))
    pair.translator.rebind(pair.clientPath.local, to: outside)
    try stream.tick(10, every: .milliseconds(300))
    try stream.settle()
    #expect(stream.isExact)
    let gap = zip(stream.arrivalTimes, stream.arrivalTimes.dropFirst()).map { $1 - $0 }.max() ?? .zero
    print("rebinding to \(outside), PINGs after \(silence): a gap of \(gap)")
    // The silence begins with the acknowledgement of the last event, and what was lost is known by one too: each may
    // take 25 ms.
    #expect(gap <= silence + .milliseconds(2 * 25) + MigrationTests.roundTrip * 2)
  }

  /// Somebody on the way sends a packet on from an address that is not the client's, which is not heard
  /// meanwhile: the server goes back to where it was when nobody answers (RFC 9000 § 9.3.2).
  @Test(arguments: [false, true])
  func aFalseAddressIsGivenUp(_ isFull: Bool) throws {
    let pair = try QUICPair.make(clientLimits: { $0.keepAlive = nil })
    let stream = TickingStream(on: pair)
    try stream.open()
    try stream.tick(20, every: MigrationTests.interval)
    try pair.run(for: .milliseconds(300))
    let nobody = NetworkAddress(ip: pair.clientPath.local.ip, port: 9_999)
    pair.translator.cutOff(nobody)
    // The client's own are lost as long as the server believes it elsewhere.
    var isFirst = true
    pair.onClientDatagram = { [unowned pair, unowned stream] datagram in
      defer { isFirst = false }
      if isFirst { pair.injectToServer(datagram, fromPort: nobody.port) }
      return !isFirst && stream.serverPath?.remote != nobody
    }
    // A second packet is acknowledged at once.
    try stream.tick(2, every: .milliseconds(1))
    try pair.run(for: .milliseconds(100))
    #expect(stream.serverPath?.remote == nobody)
    try stream.tick(isFull ? 400 : 30, every: MigrationTests.interval)
    try stream.settle()
    #expect(stream.isExact)
    let gap = stream.gap(beyond: MigrationTests.interval)
    print("a packet from an address that is nobody's: a gap of \(gap)")
    #expect(gap > .zero)
    #expect(gap <= .seconds(5))
  }

  @Test func aTokenForTheNewAddressFollows() throws {
    for (outside, count) in [(Self.port, 1), (Self.address, 2)] {
      let pair = try QUICPair.make()
      let stream = TickingStream(on: pair)
      try stream.open()
      try stream.tick(20, every: MigrationTests.interval)
      pair.translator.rebind(pair.clientPath.local, to: outside)
      try stream.tick(50, every: MigrationTests.interval)
      #expect(stream.tokens.count == count)
    }
  }

  /// ngtcp2 before 1.25 takes no notice of a client that is back at the old address while it tries the way there, for up
  /// to three probe time-outs (ngtcp2#2257); our server tells it of another host.
  @Test(arguments: [port, address])
  func aTranslatorMayGoBack(_ outside: NetworkAddress) throws {
    let pair = try QUICPair.make(clientLimits: { $0.keepAlive = .milliseconds(500) })
    let stream = TickingStream(on: pair)
    try stream.open()
    try stream.tick(20, every: MigrationTests.interval)
    pair.translator.rebind(pair.clientPath.local, to: outside)
    try stream.tick(20, every: MigrationTests.interval)
    pair.translator.rebind(pair.clientPath.local, to: pair.clientPath.local)
    try stream.tick(400, every: MigrationTests.interval)
    try stream.settle()
    #expect(stream.isExact)
    let gap = stream.gap(beyond: MigrationTests.interval)
    print("rebinding to \(outside) and back: a gap of \(gap)")
    #expect(gap <= MigrationTests.roundTrip * 4)
  }

  private enum Change: CaseIterable {
    case rebinding
    case probed
    case immediate
  }

  /// Losses, and addresses that change while the last change is not settled. A server on ngtcp2 1.11 that meets a
  /// rebinding and a migration within its trials of both counts a connection id twice, and a client whose answers to
  /// such trials were lost may wait for the window that they take: each kind has its own pace, therefore.
  @Test(
    arguments: [
      (changes: [.probed, .immediate], pause: Duration.milliseconds(100)),
      (changes: [.rebinding], pause: .seconds(2)),
      (changes: Change.allCases, pause: .seconds(4)),
    ] as [(changes: [Change], pause: Duration)])
  private func everySeedLosesNothing(_ changes: [Change], _ pause: Duration) throws {
    var givenUp: UInt64 = 0
    defer { #expect(givenUp <= max(BadLinkTests.seeds / 200, 1)) }
    for seed in 1...BadLinkTests.seeds / 10 {
      var generator = SeededGenerator(seed: seed)
      var conditions = DirectionConditions(oneWayDelayMilliseconds: Double(1 + generator.next() % 60))
      conditions.loss = .bernoulli(rate: Double(generator.next() % 100) / 1_000, longestBurst: nil)
      let pair = try QUICPair.make(
        seed: seed, conditions: LinkConditions(bothWays: conditions), clientLimits: { $0.keepAlive = .seconds(1) })
      let stream = TickingStream(on: pair)
      try stream.open()
      for step in 1...6 {
        try stream.tick(10, every: pause * Int(50 + generator.next() % 100) / 1_000)
        let local = MigrationTests.address(UInt32(step), port: UInt16(50_000 + step))
        let path = MigrationTests.path(of: pair, to: local)
        switch changes[Int(generator.next() % UInt64(changes.count))] {
        case .rebinding:
          pair.translator.rebind(pair.client.currentPath?.local ?? pair.clientPath.local, to: local)
        case .probed: _ = pair.client.migrate(to: path, .probed, at: pair.now)
        case .immediate: _ = pair.client.migrate(to: path, .immediate, at: pair.now)
        }
      }
      do {
        try stream.settle()
      } catch {
        Issue.record("\(error)")
      }
      #expect(
        stream.isExact || stream.wasGivenUp && changes.contains(.rebinding),
        "seed \(seed): \(String(describing: stream.closed))")
      givenUp += stream.wasGivenUp ? 1 : 0
      #expect(stream.connectionCount == 1, "seed \(seed)")
    }
  }

  /// Large bodies both ways at once, when the address changes with or without the client's knowing.
  @Test(arguments: [false, true])
  func bodiesBothWaysAreExact(_ migrates: Bool) throws {
    let pair = try QUICPair.make()
    let client = RequestClient(on: pair)
    let server = EchoServer(on: pair)
    client.send("GET", "/bytes/2000000")
    client.send("POST", "/echo", body: EchoServer.pattern(1_000_000))
    try pair.run(for: .milliseconds(300))
    if migrates {
      pair.translator.cutOff(pair.clientPath.local)
      let new = MigrationTests.path(of: pair, to: MigrationTests.address(1))
      #expect(pair.client.migrate(to: new, .immediate, at: pair.now) == .started)
    } else {
      pair.translator.rebind(pair.clientPath.local, to: Self.address)
    }
    try pair.run { client.isDone }
    // Compared first: the test library would look for the differences of a million bytes.
    let isExact =
      client.answers[0].body == EchoServer.pattern(2_000_000) && client.answers[1].body == EchoServer.pattern(1_000_000)
    #expect(isExact)
    #expect(server.keys.count == 1)
  }
}
