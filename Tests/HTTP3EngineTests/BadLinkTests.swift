import Foundation
import HTTP3Engine
import LinkModel
import TestSupport
import Testing

/// Loss, reordering, duplication and corruption: exact bodies or a typed error, never a hang.
@Suite struct BadLinkTests {
  /// `AGENT_STREAM_SEEDS=5000` runs more.
  static let seeds = UInt64(ProcessInfo.processInfo.environment["AGENT_STREAM_SEEDS"] ?? "") ?? 500

  @Test func everySeedEndsWithExactBodiesOrATypedError() throws {
    var failures = 0
    for seed in 1...Self.seeds {
      var generator = SeededGenerator(seed: seed)
      let conditions = Self.conditions(&generator)
      let sizes = (0..<4).map { _ in Int(generator.next() % 65_537) }
      let pair = try QUICPair.make(seed: seed, conditions: LinkConditions(bothWays: conditions))
      let server = EchoServer(on: pair)
      let client = RequestClient(on: pair)
      for size in sizes[..<2] { client.send("GET", "/bytes/\(size)") }
      for size in sizes[2...] { client.send("POST", "/echo", body: EchoServer.pattern(size)) }
      do {
        try pair.run { client.isDone }
      } catch {
        Issue.record("\(error)")
        continue
      }
      #expect(server.keys.count <= 1)
      for (index, size) in sizes.enumerated() {
        let answer = client.answers[index]
        if answer.isComplete {
          let isExact = answer.body == EchoServer.pattern(size)
          #expect(isExact, "seed \(seed): body \(index) differs")
        } else {
          #expect(answer.error != nil, "seed \(seed): request \(index) has no outcome")
        }
      }
      if client.answers.contains(where: { $0.error != nil }) { failures += 1 }
    }
    // QUIC repairs what the link breaks; only a handshake that a flipped byte spoils beyond repair may fail.
    #expect(failures <= Int(Self.seeds / 50), "\(failures) of \(Self.seeds) seeds ended with an error")
  }

  /// Up to 20 % lost, up to 20 % early, others up to three delays late, up to 10 % twice and up to 10 % damaged.
  private static func conditions(_ generator: inout SeededGenerator) -> DirectionConditions {
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

  @Test func aLinkThatIsCutForTwentySecondsGoesOnWhereItWas() throws {
    let pair = try QUICPair.make(seed: 3)
    let server = EchoServer(on: pair)
    let client = RequestClient(on: pair)
    client.send("GET", "/bytes/3000000")
    try pair.run { client.answers[0].body.count > 500_000 }
    pair.link.cuts = [.toClient, .toServer]
    try pair.run(for: .seconds(20))
    pair.link.cuts = []
    try pair.run { client.isDone }
    #expect(client.answers[0].body == EchoServer.pattern(3_000_000))
    #expect(server.keys.count == 1)
  }
}
