package import LinkModel

/// What happens to a client and a server, all of it from a seed: the link's faults, the requests, a restart.
package struct SimulationScenario: Sendable {
  package struct Request: Sendable {
    /// Whether the body goes to the server too, which sends it back.
    package var isUpload: Bool
    package var size: Int
    package var start: Duration
  }

  /// The server goes away with all of its state, and another one takes its place.
  package struct Restart: Sendable {
    package var at: Duration
    /// Whether the new one resets the old connections and takes their tickets.
    package var keepsSecrets: Bool
  }

  package static let largestBody = 64 << 10
  package let seed: UInt64
  package private(set) var conditions: LinkConditions
  package private(set) var requests: [Request] = []
  package private(set) var restart: Restart?

  /// Up to 20 % lost, up to 20 % early, others up to three delays late, up to 10 % twice, up to 10 % damaged; a third of
  /// the links has a small MTU, rebinds the client's address, is cut for some time, or sees the server start anew.
  package init(seed: UInt64) {
    self.seed = seed
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
      // A client that only listens is found again with its next keep-alive, after 15 s: sooner ones would starve it.
      conditions.rebinding = Rebinding(
        firstMilliseconds: span(1_000...4_000), everyMilliseconds: generator.chance(0.5) ? span(20_000...40_000) : nil,
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
