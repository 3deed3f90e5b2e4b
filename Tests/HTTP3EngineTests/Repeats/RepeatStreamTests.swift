import LinkModel
import TestSupport
import Testing

@testable import HTTP3Engine

/// Repeats between two engines, in virtual time.
@Suite struct RepeatStreamTests {
  private static let hedge = RepeatConfiguration(responses: .all, hedge: .milliseconds(5))

  @Test func withoutLossNothingIsSentThatWouldNotBe() throws {
    func run(_ client: RepeatConfiguration?, isAdaptive: Bool) throws -> (ConnectionStatistics, RepeatedStream) {
      let repeated = try RepeatedStream(
        client: client, server: RepeatConfiguration(responses: .all, isAdaptive: isAdaptive))
      try repeated.stream.tick(100, every: .milliseconds(20))
      try repeated.stream.settle()
      #expect(repeated.stream.isExact)
      return (try #require(repeated.server?.statistics), repeated)
    }
    let (plain, _) = try run(nil, isAdaptive: true)
    let (adaptive, quiet) = try run(Self.hedge, isAdaptive: true)
    let (riding, _) = try run(RepeatConfiguration(responses: .all), isAdaptive: false)
    #expect(quiet.server?.statistics.repeats == RepeatCounters())
    // The request and the response have a field more.
    #expect(adaptive.datagramsSent == plain.datagramsSent && adaptive.bytesSent < plain.bytesSent + 200)
    #expect(riding.datagramsSent == plain.datagramsSent && riding.bytesSent > plain.bytesSent + 64 * 99)
  }

  @Test(arguments: 1...5 as ClosedRange<UInt64>)
  func aRideBringsALostEventWithTheNext(_ seed: UInt64) throws {
    let plain = try RepeatedStream(seed: seed, loss: 0.05, client: nil)
    try plain.stream.tick(500, every: .milliseconds(20))
    try plain.stream.settle()
    let riding = try RepeatedStream(seed: seed, loss: 0.05)
    try riding.stream.tick(500, every: .milliseconds(20))
    try riding.stream.settle()
    #expect(plain.stream.isExact && riding.stream.isExact, "seed \(seed)")
    #expect(plain.share(laterThan: 21) > 0.08, "seed \(seed): \(plain.share(laterThan: 21))")
    // Two in a row are lost once in four hundred times, and hold up three more.
    #expect(riding.share(laterThan: 21) < 0.04, "seed \(seed): \(riding.share(laterThan: 21))")
    let counters = try #require(riding.server?.statistics.repeats)
    #expect(counters.sent > 450 && counters.sent < 520 && counters.hedges == 0, "seed \(seed): \(counters)")
  }

  @Test(arguments: 1...5 as ClosedRange<UInt64>)
  func aHedgeBringsItWithinItsDelay(_ seed: UInt64) throws {
    let repeated = try RepeatedStream(seed: seed, loss: 0.05, client: Self.hedge)
    try repeated.stream.tick(500, every: .milliseconds(20))
    try repeated.stream.settle()
    #expect(repeated.stream.isExact, "seed \(seed)")
    #expect(repeated.share(laterThan: 1) < 0.09, "seed \(seed)")
    #expect(repeated.share(laterThan: 5.1) < 0.02, "seed \(seed): \(repeated.share(laterThan: 5.1))")
    let counters = try #require(repeated.server?.statistics.repeats)
    #expect(counters.hedges > 450 && counters.hedges <= 520, "seed \(seed): \(counters)")
  }

  /// The first one that is lost is brought by a probe, behind which the library counts no loss; it turns hedges on all
  /// the same.
  @Test(arguments: [true, false])
  func aLoneEventThatIsLostComesWithItsHedge(_ isAdaptive: Bool) throws {
    let repeated = try RepeatedStream(
      client: Self.hedge, server: RepeatConfiguration(responses: .all, isAdaptive: isAdaptive))
    try repeated.stream.tick(3, every: .seconds(1))
    #expect(!isAdaptive || repeated.server?.statistics.repeats.sent == 0)
    for _ in 0..<5 {
      repeated.pair.link.cuts = [.toClient]
      try repeated.stream.tick(1, every: .milliseconds(2))
      repeated.pair.link.cuts = []
      try repeated.pair.run(for: .seconds(1))
    }
    try repeated.stream.settle()
    #expect(repeated.stream.isExact)
    let lateness = repeated.lateness
    #expect(abs(lateness[lateness.count - 2] - 5) < 0.1, "\(lateness)")
    #expect(isAdaptive ? lateness[lateness.count - 1] > 50 : abs(lateness[lateness.count - 1] - 5) < 0.1)
  }

  @Test func whatIsLostTurnsItOnAndAQuietTimeOff() throws {
    let repeated = try RepeatedStream(client: Self.hedge, server: RepeatConfiguration(responses: .all))
    try repeated.stream.tick(50, every: .milliseconds(20))
    #expect(repeated.server?.statistics.repeats.sent == 0)
    repeated.pair.link.cuts = [.toClient]
    try repeated.stream.tick(1, every: .milliseconds(2))
    repeated.pair.link.cuts = []
    try repeated.pair.run(for: .milliseconds(18))
    try repeated.stream.tick(50, every: .milliseconds(20))
    let counters = try #require(repeated.server?.statistics.repeats)
    #expect(counters.sent > 30, "\(counters)")
    try repeated.stream.tick(2_000, every: .milliseconds(20))
    let before = repeated.server?.statistics.repeats
    try repeated.stream.tick(50, every: .milliseconds(20))
    #expect(repeated.server?.statistics.repeats == before)
    try repeated.stream.settle()
    #expect(repeated.stream.isExact)
  }

  /// Loss, reordering, duplicates and damage both ways; with migration on top.
  @Test(arguments: 1...30 as ClosedRange<UInt64>)
  func aBadLinkChangesNoByte(_ seed: UInt64) throws {
    let client = seed % 2 == 0 ? Self.hedge : RepeatConfiguration(responses: .all)
    let repeated = try RepeatedStream(seed: seed, loss: 0.15, client: client) {
      for direction in [\LinkConditions.toServer, \LinkConditions.toClient] {
        $0[keyPath: direction].jitter = .rightSkewed(meanMilliseconds: 5, maximumMilliseconds: 60)
        $0[keyPath: direction].jitterReorders = true
        $0[keyPath: direction].duplicationRate = 0.1
        $0[keyPath: direction].corruptionRate = 0.05
        $0[keyPath: direction].earlyRate = 0.1
      }
    }
    for interval in [1, 7, 20, 150] {
      try repeated.stream.tick(100, every: .milliseconds(interval))
      if interval == 7, seed % 3 == 0 {
        let moved = NetworkAddress(ip: .v4(0x0a00_0101), port: 41_000)
        _ = repeated.pair.client.migrate(
          to: NetworkPath(local: moved, remote: repeated.pair.clientPath.remote), .immediate, at: repeated.pair.now)
      }
    }
    try repeated.stream.settle()
    #expect(repeated.stream.isExact, "seed \(seed): \(String(describing: repeated.stream.closed))")
    #expect(repeated.server?.statistics.repeats.sent ?? 0 > 100, "seed \(seed)")
    let early = repeated.pair.client.statistics.earlyContentCount
    #expect(early > 500, "seed \(seed): \(early)")
  }

  @Test func eventsOfEveryStreamShareAPacket() throws {
    let pair = try QUICPair.make(
      clientLimits: { $0.repeats = Self.hedge },
      server: { $0.connection.repeats = RepeatConfiguration(responses: .all, isAdaptive: false) })
    let server = EchoServer(on: pair)
    let client = RequestClient(on: pair)
    for index in 0..<8 { client.send("GET", "/hold?\(index)") }
    try pair.run { client.answers.allSatisfy { $0.status == "200" } }
    try pair.run(for: .milliseconds(200))
    let connection = try #require(server.keys.first.flatMap { pair.server.connection($0) })
    let before = connection.statistics.datagramsSent
    let events = 160
    for step in 0..<events {
      let id = try #require(client.streams[step % 8])
      try connection.sendBody(EchoServer.pattern(64), on: id, endStream: false)
      try pair.run(for: .microseconds(2_500))
    }
    try pair.run(for: .seconds(1))
    #expect(client.answers.allSatisfy { $0.body.count == 64 * 20 })
    // Each event rides along with the next, so that hardly one has to go alone.
    #expect(connection.statistics.repeats.hedges < 5, "\(connection.statistics.repeats)")
    #expect(connection.statistics.repeats.bytes > 64 * 150, "\(connection.statistics.repeats)")
    let packets = connection.statistics.datagramsSent - before
    #expect(packets < UInt64(events) * 11 / 10, "\(packets)")
  }

  @Test func aFatResponseGetsNone() throws {
    let pair = try QUICPair.make(
      clientLimits: { $0.repeats = Self.hedge },
      server: { $0.connection.repeats = RepeatConfiguration(responses: .all, isAdaptive: false) })
    let server = EchoServer(on: pair)
    let client = RequestClient(on: pair)
    client.send("GET", "/bytes/5000000")
    try pair.run { client.isDone }
    #expect(client.answers[0].body == EchoServer.pattern(5_000_000))
    let connection = try #require(server.keys.first.flatMap { pair.server.connection($0) })
    #expect(connection.statistics.repeats.sent < 10, "\(connection.statistics.repeats)")
  }
}
