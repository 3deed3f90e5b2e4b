import Foundation
import HTTP3Engine
import LinkModel
import TestSupport
import Testing

/// Loss, reordering, duplication, corruption, small packets, rebinding, outages, migrations, early data and restarts: exact
/// bodies or a typed error, never a hang. `Tools/simulate` runs the same with more seeds.
@Suite struct BadLinkTests {
  /// `AGENT_STREAM_SEEDS=5000` runs more.
  static let seeds = UInt64(ProcessInfo.processInfo.environment["AGENT_STREAM_SEEDS"] ?? "") ?? 500

  @Test func everySeedEndsWithExactBodiesOrATypedError() throws {
    var report = SimulationReport()
    for seed in 1...Self.seeds {
      let result = try SimulationRun.run(SimulationScenario(seed: seed))
      #expect(result.violations == [], "seed \(seed); `swift run -c release simulate --seed \(seed)` shows it")
      report.add(result)
    }
    // QUIC repairs what the link breaks; only a handshake that a flipped byte spoils beyond repair may fail.
    #expect(report.hasFewErrors && report.hasFewMiscounts, "\(report)")
    // Each fault that is promised did happen.
    #expect(report.missing == [], "\(report)")
    #expect(report.hasAllSteps, "\(report)")
  }

  /// The same, with content repeated beside its streams.
  @Test func everySeedEndsSoWithRepeats() throws {
    var report = SimulationReport()
    for seed in 1...Self.seeds {
      let result = try SimulationRun.run(SimulationScenario(seed: seed, hasRepeats: true))
      #expect(result.violations == [], "seed \(seed); `simulate transport --repeats --seed \(seed)` shows it")
      report.add(result)
    }
    #expect(report.hasFewErrors && report.hasFewMiscounts, "\(report)")
    #expect(report.missing == [] && report.hasAllSteps, "\(report)")
    #expect(report.earlyContentCount > 100 * Self.seeds, "\(report)")
  }

  /// The client's window fills with answers to path challenges that are lost, for which ngtcp2 runs no timer.
  @Test func aStalledConnectionEndsBeforeItsIdleTimeout() throws {
    let result = try SimulationRun.run(SimulationScenario(seed: 449))
    #expect(result.violations == [])
    #expect(result.virtualTime < .seconds(30))
  }

  /// A client that migrates twice within seconds, and a server on ngtcp2 1.11, which counts one of its ids twice.
  @Test func aConnectionIDThatTheLibraryCountsTwiceIsNoErrorOfOurs() throws {
    let result = try SimulationRun.run(SimulationScenario(seed: 466))
    #expect(result.violations == [])
    #expect(result.errors.isEmpty)
  }

  @Test func aLinkThatIsCutForTwentySecondsContinuesWhereItWas() throws {
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

  /// Longer than any pause between two probes is long, with a full window, an application that keeps asking, and an idle
  /// timeout that would allow more.
  @Test func aLinkThatIsCutForTwoMinutesWithAFullWindowIsNotTakenForAStall() throws {
    let pair = try QUICPair.make(
      seed: 3, clientLimits: { $0.idleTimeout = .seconds(600) }, server: { $0.connection.idleTimeout = .seconds(600) })
    let server = EchoServer(on: pair)
    let client = RequestClient(on: pair)
    client.send("GET", "/bytes/3000000")
    try pair.run { client.answers[0].body.count > 500_000 }
    pair.link.cuts = [.toClient, .toServer]
    for _ in 0..<120 { try pair.run(for: .seconds(1)) }
    pair.link.cuts = []
    // The next probe may be as far away as the outage was long.
    try pair.run(for: .seconds(130))
    try pair.run { client.isDone }
    #expect(client.answers[0].body == EchoServer.pattern(3_000_000))
    #expect(server.keys.count == 1)
    #expect(server.connectionErrors.isEmpty && client.closed == nil)
  }
}
