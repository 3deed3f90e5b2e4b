import Foundation
import Testing

@testable import LinkModel

@Suite struct TimedLossTests {
  static let seeds: [UInt64] = [1, 2, 3]

  private static func seed(_ number: UInt64) -> LinkSeed { LinkSeed(scenario: 0x71ED, repetition: number) }

  /// Whether each of the times at which a sender sends is lost.
  private static func lost(
    everyMilliseconds every: Int, milliseconds: Int, bytes: Int, seed: UInt64, _ direction: LinkDirection = .toServer
  ) throws -> [Int: Bool] {
    var run = try LinkRun(seed: Self.seed(seed)) { $0.loss = .byTime(meanRate: 0.1, meanBurstMilliseconds: 30) }
    // The link's time begins with a packet to the server.
    run.send(LinkRun.packet(bytes: 100), atMilliseconds: 0)
    var lost: [Int: Bool] = [:]
    for time in stride(from: 0, to: milliseconds, by: every) {
      lost[time] = run.send(LinkRun.packet(bytes: bytes), direction, atMilliseconds: Double(time))[0].cause == .loss
    }
    return lost
  }

  /// A chain in time that is looked at every d ms is a chain in steps: with the time constant τ = B (1 − L) a bad step is
  /// followed by a bad one with L + (1 − L) e^(−d/τ), so runs of lost packets are geometric with a known mean.
  @Test(
    "The share of the time and the length of bursts are those asked for",
    arguments: [(0.03, 25.0), (0.3, 10), (0.9, 5)],
    seeds)
  func law(_ asked: (share: Double, burst: Double), _ seed: UInt64) throws {
    let (share, burst) = asked
    let (count, step) = (200_000, 2.0)
    var run = try LinkRun(seed: Self.seed(seed)) { $0.loss = .byTime(meanRate: share, meanBurstMilliseconds: burst) }
    run.send(count, everyMilliseconds: step, bytes: 100)
    let kept = exp(-step / (burst * (1 - share)))
    let realised = Double(run.count(.loss)) / Double(count)
    let width = LossTests.halfWidth(share, count, variance: (1 + kept) / (1 - kept))
    #expect(abs(realised - share) < width * 1.3, "seed \(seed): \(realised) for \(share)")
    let leaves = (1 - share) * (1 - kept)
    let mean = Double(run.bursts.reduce(0, +)) / Double(run.bursts.count)
    let meanWidth = 2.576 * 1.3 * ((1 - leaves) / (leaves * leaves) / Double(run.bursts.count)).squareRoot()
    #expect(abs(mean - 1 / leaves) < meanWidth, "seed \(seed): bursts of \(mean) packets for \(1 / leaves)")
  }

  @Test("Two senders meet the same bad milliseconds, whatever they send", arguments: seeds)
  func pairing(_ seed: UInt64) throws {
    let dense = try Self.lost(everyMilliseconds: 1, milliseconds: 60_000, bytes: 60, seed: seed)
    let sparse = try Self.lost(everyMilliseconds: 7, milliseconds: 60_000, bytes: 1400, seed: seed)
    #expect(sparse.allSatisfy { dense[$0.key] == $0.value }, "seed \(seed)")
    #expect(sparse.values.contains(true) && sparse.values.contains(false), "seed \(seed)")
    let other = try Self.lost(everyMilliseconds: 7, milliseconds: 60_000, bytes: 1400, seed: seed + 100)
    #expect(other != sparse, "seed \(seed)")
  }

  @Test("Each direction has bad times of its own", arguments: seeds)
  func directions(_ seed: UInt64) throws {
    let up = try Self.lost(everyMilliseconds: 1, milliseconds: 200_000, bytes: 100, seed: seed)
    let down = try Self.lost(everyMilliseconds: 1, milliseconds: 200_000, bytes: 100, seed: seed, .toClient)
    // Independent: both bad in 0.1 · 0.1 of the time. About 670 bad times each, so the standard error is about 0.0007.
    let both = Double(up.count { $0.value && down[$0.key] == true }) / Double(up.count)
    #expect(abs(both - 0.01) < 0.0035, "seed \(seed): \(both)")
  }

  /// A sender that waits for ten bursts' length after each loss finds the link as if for the first time; with Gilbert's
  /// chain, which moves by packets, the burst waits with it.
  @Test("A silent sender leaves a burst by time, and stays in one by packets", arguments: seeds)
  func silence(_ seed: UInt64) throws {
    func lostAfterSilence(_ loss: Loss) throws -> Double {
      var run = try LinkRun(seed: Self.seed(seed)) { $0.loss = loss }
      var (time, losses, again) = (0.0, 0, 0)
      while losses < 4000 {
        let isLost = run.send(LinkRun.packet(bytes: 100), atMilliseconds: time)[0].cause == .loss
        if isLost {
          losses += 1
          time += 500
          if run.send(LinkRun.packet(bytes: 100), atMilliseconds: time)[0].cause == .loss { again += 1 }
          time += 500
        }
        time += 5
      }
      return Double(again) / Double(losses)
    }
    let byTime = try lostAfterSilence(.byTime(meanRate: 0.1, meanBurstMilliseconds: 50))
    #expect(abs(byTime - 0.1) < 1.3 * LossTests.halfWidth(0.1, 4000), "seed \(seed): \(byTime)")
    let byPacket = try lostAfterSilence(.gilbert(meanRate: 0.1, meanBurstPackets: 10))
    #expect(abs(byPacket - 0.9) < 1.3 * LossTests.halfWidth(0.9, 4000), "seed \(seed): \(byPacket)")
  }

  @Test("No time is no loss, and the rarest bad time that can be written is no trap")
  func extremes() throws {
    for share in [0, .leastNonzeroMagnitude, 1e-12] {
      var run = try LinkRun { $0.loss = .byTime(meanRate: share, meanBurstMilliseconds: 1e9) }
      run.send(1000, everyMilliseconds: 1)
      #expect(run.count(.loss) == 0)
      #expect(!run.link.send(LinkRun.packet(bytes: 100), .toServer, at: .max).isEmpty)
    }
  }

  @Test("Before the link's first packet to the server nothing is lost by time")
  func beforeTheStart() throws {
    var run = try LinkRun { $0.loss = .byTime(meanRate: 0.99, meanBurstMilliseconds: 1000) }
    run.send(100, everyMilliseconds: 1, .toClient)
    #expect(run.count(.loss) == 0)
    run.send(10_000, everyMilliseconds: 1, from: 100)
    #expect(run.count(.loss) > 8000)
  }
}
