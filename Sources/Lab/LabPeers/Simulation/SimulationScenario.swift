package import HTTP3Engine
package import LinkModel

/// The events of a client and a server, all from a seed: the link's faults, the requests, a restart, a migration.
package struct SimulationScenario: Sendable {
  package struct Request: Sendable {
    /// Whether the body goes to the server too, which sends it back.
    package var isUpload: Bool
    package var size: Int
    package var start: Duration
    /// Whether the body comes little by little, as events do.
    package var isDripped = false
  }

  /// The server goes away with all of its state, and another one takes its place.
  package struct Restart: Sendable {
    package var at: Duration
    /// Whether the new one resets the old connections and takes their tickets.
    package var keepsSecrets: Bool
  }

  /// The client continues at another address of its own.
  package struct Move: Sendable {
    package var at: Duration
    package var kind: MigrationKind
  }

  package static let largestBody = 64 << 10
  package let seed: UInt64
  package private(set) var conditions: LinkConditions
  package private(set) var requests: [Request] = []
  package private(set) var restart: Restart?
  package private(set) var moves: [Move] = []
  /// Whether client and server repeat content, of which downloads that are dripped have some; a seed's link is the same.
  package let hasRepeats: Bool
  /// The requests of a client that has all the other responses, has closed, and comes back with its ticket: none in
  /// most scenarios.
  package private(set) var laterRequests: [Request] = []

  /// Up to 20 % lost, up to 20 % early, others up to three delays late, up to 10 % twice, up to 10 % damaged; a third of
  /// the links has a small MTU, rebinds the client's address, is cut for some time, sees the server start again, or sees
  /// the client come back. Among those that do not rebind its address, the client moves in a third.
  package init(seed: UInt64, hasRepeats: Bool = false) {
    self.seed = seed
    self.hasRepeats = hasRepeats
    var generator = SeededGenerator(seed: seed ^ 0x5c_e4a7)
    func span(_ milliseconds: ClosedRange<UInt64>) -> Double {
      Double(UInt64.random(in: milliseconds, using: &generator))
    }
    conditions = LinkConditions(bothWays: Self.direction(&generator))
    if generator.chance(1 / 3) {
      // A datagram of 1 200 bytes, the least that QUIC needs, has 1 228 with its headers.
      let size = Int(span(1_228...1_471))
      conditions.toServer.maximumPacketBytes = size
      conditions.toClient.maximumPacketBytes = size
    }
    if generator.chance(1 / 3) {
      // A client that only listens is found again with its next keep-alive, after 20 s: sooner ones would starve it.
      conditions.rebinding = Rebinding(
        firstMilliseconds: span(1_000...4_000), everyMilliseconds: generator.chance(0.5) ? span(25_000...45_000) : nil,
        changesAddress: generator.chance(0.5))
    }
    if generator.chance(1 / 3) {
      let outage = Outage(startMilliseconds: span(0...3_000), durationMilliseconds: span(100...4_000))
      if generator.chance(0.8) { conditions.toServer.outages = [outage] }
      if generator.chance(0.8) { conditions.toClient.outages = [outage] }
    }
    for _ in 0..<4 {
      requests.append(
        Request(
          isUpload: generator.chance(0.5), size: Int(generator.next() % UInt64(Self.largestBody + 1)),
          start: .milliseconds(generator.chance(0.5) ? 0 : Int(span(0...3_000)))))
    }
    if generator.chance(1 / 3) {
      restart = Restart(at: .milliseconds(Int(span(1...4_000))), keepsSecrets: generator.chance(0.5))
    }
    // Changed by the network and by the client within a few round trips, paths run into what the library fixed after
    // 1.11 (its commit 1ffa646c): it retires a connection id that is still in use.
    if conditions.rebinding == nil, generator.chance(1 / 3) {
      for step in 0..<(generator.chance(0.5) ? 1 : 2) {
        moves.append(
          Move(
            at: .milliseconds(step * 4_000 + Int(span(1...4_000))), kind: generator.chance(0.5) ? .probed : .immediate))
      }
    }
    if generator.chance(1 / 3) {
      for _ in 0..<2 {
        laterRequests.append(
          Request(isUpload: false, size: Int(generator.next() % UInt64(Self.largestBody + 1)), start: .zero))
      }
    }
    guard hasRepeats else { return }
    for index in requests.indices where !requests[index].isUpload {
      requests[index].isDripped = true
      requests[index].size %= 4_096
    }
  }

  /// Both sides' configuration of repeats; hedges with every other seed.
  var repeats: RepeatConfiguration? {
    guard hasRepeats else { return nil }
    return RepeatConfiguration(
      responses: .all, hedge: seed.isMultiple(of: 2) ? .milliseconds(5) : nil, isAdaptive: seed.isMultiple(of: 3))
  }

  private static func direction(_ generator: inout SeededGenerator) -> DirectionConditions {
    func share(below thousandths: UInt64) -> Double { Double(generator.next() % thousandths) / 1_000 }
    let delay = Double(1 + generator.next() % 100)
    var conditions = DirectionConditions(oneWayDelayMilliseconds: delay)
    conditions.loss = .bernoulli(rate: share(below: 200), longestBurst: nil)
    conditions.earlyRate = share(below: 200)
    conditions.jitter = .rightSkewed(meanMilliseconds: delay * share(below: 200), maximumMilliseconds: delay * 3)
    conditions.jitterReorders = true
    conditions.duplicationRate = share(below: 100)
    conditions.corruptionRate = share(below: 100)
    return conditions
  }
}
