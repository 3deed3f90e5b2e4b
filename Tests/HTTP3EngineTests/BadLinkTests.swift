import Foundation
import HTTP3Engine
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
      var conditions = SeededLink.Conditions()
      conditions.delay = .milliseconds(Int(1 + generator.next() % 100))
      conditions.loss = Double(generator.next() % 200) / 1_000
      conditions.reordering = Double(generator.next() % 200) / 1_000
      conditions.duplication = Double(generator.next() % 100) / 1_000
      conditions.corruption = Double(generator.next() % 100) / 1_000
      let sizes = (0..<4).map { _ in Int(generator.next() % 65_537) }
      let pair = try QUICPair.make(seed: seed, conditions: conditions)
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

  @Test func aLinkThatIsCutForTwentySecondsGoesOnWhereItWas() throws {
    let pair = try QUICPair.make(seed: 3)
    let server = EchoServer(on: pair)
    let client = RequestClient(on: pair)
    client.send("GET", "/bytes/3000000")
    try pair.run { client.answers[0].body.count > 500_000 }
    pair.toClient.isCut = true
    pair.toServer.isCut = true
    try pair.run(for: .seconds(20))
    pair.toClient.isCut = false
    pair.toServer.isCut = false
    try pair.run { client.isDone }
    #expect(client.answers[0].body == EchoServer.pattern(3_000_000))
    #expect(server.keys.count == 1)
  }
}
