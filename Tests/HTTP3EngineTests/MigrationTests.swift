import HTTP3Engine
import LinkModel
import TestSupport
import Testing

/// A client changes its address: an event stream continues over the same connection, and how long it halts.
@Suite struct MigrationTests {
  /// The link of ``VirtualLink/plain``.
  static let roundTrip = Duration.milliseconds(40)
  static let interval = Duration.milliseconds(10)

  static func address(_ host: UInt32, port: UInt16 = 50_000) -> NetworkAddress {
    NetworkAddress(ip: .v4(0x0a00_0100 + host), port: port)
  }

  static func path(of pair: QUICPair, to local: NetworkAddress) -> NetworkPath {
    NetworkPath(local: local, remote: pair.clientPath.remote)
  }

  @Test func aProbedMigrationHaltsNothing() throws {
    let pair = try QUICPair.make()
    let stream = TickingStream(on: pair)
    try stream.open()
    try stream.tick(20, every: Self.interval)
    let new = Self.path(of: pair, to: Self.address(1))
    #expect(pair.client.migrate(to: new, .probed, at: pair.now) == .started)
    #expect(pair.client.currentPath == pair.clientPath)
    try stream.tick(10, every: Self.interval)
    #expect(stream.validated == [new])
    #expect(pair.client.currentPath == new)
    // The old path is of no use any more, and nobody misses it.
    pair.translator.cutOff(pair.clientPath.local)
    try stream.tick(50, every: Self.interval)
    try stream.settle()
    #expect(stream.isExact)
    #expect(stream.connectionCount == 1)
    print("probed migration: a gap of \(stream.gap(beyond: Self.interval))")
    #expect(stream.gap(beyond: Self.interval) <= Self.roundTrip)
  }

  @Test(arguments: [0, 50, 200, 400, 800])
  func anImmediateMigrationHaltsForTwoRoundTrips(_ noticed: Int) throws {
    let pair = try QUICPair.make()
    let stream = TickingStream(on: pair)
    try stream.open()
    try stream.tick(20, every: Self.interval)
    let outage = Duration.milliseconds(noticed)
    let probeTimeout = pair.client.probeTimeout
    pair.translator.cutOff(pair.clientPath.local)
    try stream.tick(noticed / 10, every: Self.interval)
    let new = Self.path(of: pair, to: Self.address(1))
    #expect(pair.client.migrate(to: new, .immediate, at: pair.now) == .started)
    #expect(pair.client.currentPath == new)
    try stream.tick(100, every: Self.interval)
    try stream.settle()
    #expect(stream.isExact)
    #expect(stream.validated == [new])
    #expect(stream.connectionCount == 1)
    let gap = stream.gap(beyond: Self.interval) - outage
    print("immediate migration, noticed after \(noticed) ms: a gap of \(gap) more, PTO \(probeTimeout)")
    // One for the server to hear of it and answer, one to find out what was lost.
    #expect(gap <= Self.roundTrip * 2)
    #expect(gap <= probeTimeout * 3 + Self.roundTrip)
  }

  @Test func aServerThatHasNothingToSendIsReportedAtOnce() throws {
    let pair = try QUICPair.make()
    let stream = TickingStream(on: pair)
    try stream.open()
    let new = Self.path(of: pair, to: Self.address(1))
    pair.translator.cutOff(pair.clientPath.local)
    #expect(pair.client.migrate(to: new, .immediate, at: pair.now) == .started)
    // The server paces what it says about the new path: a third of a millisecond.
    try pair.run(for: Self.roundTrip / 2 + .milliseconds(1))
    // An event that is sent now takes the new way, and is not later than any other.
    try stream.tick(1, every: Self.roundTrip)
    try stream.settle()
    #expect(stream.isExact)
    #expect(stream.greatestDelay == Self.roundTrip / 2)
  }

  @Test func goingBackToANewPortIsLikeContinuing() throws {
    let pair = try QUICPair.make()
    let stream = TickingStream(on: pair)
    try stream.open()
    let home = pair.clientPath.local
    for step in 1...12 {
      // Home and away, and the server is still trying the way back to the last address when the next order comes.
      let local =
        step % 2 == 0
        ? NetworkAddress(ip: home.ip, port: home.port + UInt16(step)) : Self.address(1, port: 50_000 + UInt16(step))
      let kind: MigrationKind = step % 3 == 0 ? .immediate : .probed
      #expect(pair.client.migrate(to: Self.path(of: pair, to: local), kind, at: pair.now) == .started)
      try stream.tick(20, every: Self.interval)
      #expect(pair.client.currentPath?.local == local)
    }
    try stream.settle()
    #expect(stream.isExact)
    #expect(stream.validated.count == 12)
    print("12 migrations: a gap of \(stream.gap(beyond: Self.interval))")
    #expect(stream.gap(beyond: Self.interval) <= Self.roundTrip * 2)
  }

  @Test func anAddressAndPortOfBeforeAreRefused() throws {
    let pair = try QUICPair.make()
    let stream = TickingStream(on: pair)
    try stream.open()
    let home = pair.clientPath
    #expect(pair.client.migrate(to: home, .probed, at: pair.now) == .addressUsed)
    #expect(pair.client.migrate(to: Self.path(of: pair, to: Self.address(1)), .probed, at: pair.now) == .started)
    try stream.tick(10, every: Self.interval)
    #expect(pair.client.migrate(to: home, .immediate, at: pair.now) == .addressUsed)
    try stream.tick(10, every: Self.interval)
    try stream.settle()
    #expect(stream.isExact)
  }

  @Test func aPathThatDoesNotAnswerLeavesTheOldOneInUse() throws {
    let pair = try QUICPair.make()
    let stream = TickingStream(on: pair)
    try stream.open()
    let new = Self.path(of: pair, to: Self.address(1))
    pair.translator.cutOff(new.local)
    #expect(pair.client.migrate(to: new, .probed, at: pair.now) == .started)
    try stream.tick(200, every: Self.interval)
    #expect(stream.refuted == [new])
    #expect(stream.validated == [])
    #expect(pair.client.currentPath == pair.clientPath)
    try stream.settle()
    #expect(stream.isExact)
    // No more than the pacing of the two PATH_CHALLENGEs.
    #expect(stream.gap(beyond: Self.interval) <= Self.roundTrip)
    // Another port of the same address may do.
    pair.translator.reconnect(new.local)
    let next = Self.path(of: pair, to: Self.address(1, port: 50_001))
    #expect(pair.client.migrate(to: next, .probed, at: pair.now) == .started)
    try stream.tick(20, every: Self.interval)
    #expect(pair.client.currentPath == next)
    try stream.settle()
    #expect(stream.isExact)
  }

  @Test func anImmediateMigrationToADeadPathIsReportedAndLeftByTheNext() throws {
    let pair = try QUICPair.make()
    let stream = TickingStream(on: pair)
    try stream.open()
    let dead = Self.path(of: pair, to: Self.address(1))
    pair.translator.cutOff(dead.local)
    pair.translator.cutOff(pair.clientPath.local)
    #expect(pair.client.migrate(to: dead, .immediate, at: pair.now) == .started)
    try stream.tick(150, every: Self.interval)
    #expect(stream.refuted == [dead])
    #expect(pair.client.currentPath == dead)
    let next = Self.path(of: pair, to: Self.address(2))
    #expect(pair.client.migrate(to: next, .immediate, at: pair.now) == .started)
    try stream.tick(50, every: Self.interval)
    try stream.settle()
    #expect(stream.validated == [next])
    #expect(stream.isExact)
  }

  @Test func aServerMayForbidIt() throws {
    let pair = try QUICPair.make(server: { $0.connection.forbidsMigration = true })
    let stream = TickingStream(on: pair)
    try stream.open()
    let new = Self.path(of: pair, to: Self.address(1))
    #expect(pair.client.migrate(to: new, .probed, at: pair.now) == .forbidden)
    #expect(pair.client.migrate(to: new, .immediate, at: pair.now) == .forbidden)
    try stream.tick(20, every: Self.interval)
    #expect(pair.client.currentPath == pair.clientPath)
    try stream.settle()
    #expect(stream.isExact)
  }

  @Test func anOrderBeforeTheHandshakeIsConfirmedWaits() throws {
    let pair = try QUICPair.make()
    let stream = TickingStream(on: pair)
    let new = Self.path(of: pair, to: Self.address(1))
    #expect(pair.client.migrate(to: new, .probed, at: pair.now) == .queued)
    try stream.open()
    #expect(stream.validated == [new])
    #expect(pair.client.currentPath == new)
    try stream.tick(10, every: Self.interval)
    try stream.settle()
    #expect(stream.isExact)
  }

  /// The way led back before the order could be followed.
  @Test func anOrderThatWaitsCanBeWithdrawn() throws {
    let pair = try QUICPair.make()
    let stream = TickingStream(on: pair)
    let new = Self.path(of: pair, to: Self.address(1))
    #expect(!pair.client.cancelQueuedMigration())
    #expect(pair.client.migrate(to: new, .probed, at: pair.now) == .queued)
    #expect(pair.client.cancelQueuedMigration())
    #expect(!pair.client.cancelQueuedMigration())
    try stream.open()
    try stream.tick(10, every: Self.interval)
    try stream.settle()
    #expect(stream.validated.isEmpty)
    #expect(pair.client.currentPath == pair.clientPath)
    #expect(stream.isExact)
  }

  @Test func aClosedConnectionStaysWhereItIs() throws {
    let pair = try QUICPair.make()
    let stream = TickingStream(on: pair)
    try stream.open()
    pair.client.close(.noError, reason: "", at: pair.now)
    let new = Self.path(of: pair, to: Self.address(1))
    #expect(pair.client.migrate(to: new, .probed, at: pair.now) == .closed)
  }

  /// More orders than there are connection ids: the last one is carried out as soon as one comes.
  @Test func ordersBeyondTheConnectionIDsWait() throws {
    let pair = try QUICPair.make()
    let stream = TickingStream(on: pair)
    try stream.open()
    var outcomes: [MigrationOutcome] = []
    var last = pair.clientPath
    for step in 1...10 {
      last = Self.path(of: pair, to: Self.address(UInt32(step)))
      outcomes.append(pair.client.migrate(to: last, .immediate, at: pair.now))
    }
    #expect(outcomes.first == .started)
    #expect(outcomes.last == .queued)
    #expect(outcomes.allSatisfy { $0 == .started || $0 == .queued })
    print("outcomes: \(outcomes)")
    try stream.tick(40, every: Self.interval)
    try stream.settle()
    #expect(pair.client.currentPath == last)
    #expect(stream.isExact)
  }
}
