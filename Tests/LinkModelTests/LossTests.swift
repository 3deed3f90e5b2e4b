import Testing

@testable import LinkModel

@Suite struct LossTests {
  /// Half the width of the 99 % interval of a share.
  static func halfWidth(_ rate: Double, _ count: Int, variance factor: Double = 1) -> Double {
    2.576 * (rate * (1 - rate) / Double(count) * factor).squareRoot()
  }

  @Test("The realised Bernoulli rate is within the 99 % interval", arguments: [0.001, 0.01, 0.05, 0.3])
  func bernoulli(rate: Double) throws {
    var run = try LinkRun { $0.loss = .bernoulli(rate: rate, longestBurst: nil) }
    run.send(50_000, everyMilliseconds: 1, bytes: 100)
    let realised = Double(run.count(.loss)) / 50_000
    #expect(abs(realised - rate) < Self.halfWidth(rate, 50_000), "\(realised) for \(rate)")
    // Independent packets: bursts have a mean of 1 / (1 − p).
    let mean = Double(run.bursts.reduce(0, +)) / Double(run.bursts.count)
    #expect(abs(mean - 1 / (1 - rate)) < 0.05)
  }

  @Test("No loss and all loss are exact")
  func extremes() throws {
    var none = try LinkRun { $0.loss = .bernoulli(rate: 0, longestBurst: nil) }
    none.send(1000, everyMilliseconds: 1)
    #expect(none.count(.loss) == 0)
    var all = try LinkRun { $0.loss = .bernoulli(rate: 1, longestBurst: nil) }
    all.send(1000, everyMilliseconds: 1)
    #expect(all.count(.loss) == 1000)
  }

  @Test("After the longest burst the next packet passes")
  func longestBurst() throws {
    var run = try LinkRun { $0.loss = .bernoulli(rate: 0.3, longestBurst: 3) }
    run.send(20_000, everyMilliseconds: 1, bytes: 100)
    #expect(run.bursts.max() == 3)
    var all = try LinkRun { $0.loss = .bernoulli(rate: 1, longestBurst: 3) }
    all.send(12, everyMilliseconds: 1)
    #expect(all.dropped == [true, true, true, false, true, true, true, false, true, true, true, false])
  }

  @Test(
    "Gilbert's rate and mean burst are those asked for", arguments: [(0.01, 5.0), (0.03, 10.0), (0.2, 2.0), (0.3, 1.0)])
  func gilbert(rate: Double, burst: Double) throws {
    let count = 200_000
    var run = try LinkRun { $0.loss = .gilbert(meanRate: rate, meanBurstPackets: burst) }
    run.send(count, everyMilliseconds: 1, bytes: 100)
    // Packets are correlated by ρ = 1 − p − r, which widens the interval of their mean by (1 + ρ) / (1 − ρ).
    let chances = LossProcess.gilbertChances(meanRate: rate, meanBurstPackets: burst)
    let correlation = 1 - chances.leavesGood - chances.leavesBad
    let realised = Double(run.count(.loss)) / Double(count)
    let width = Self.halfWidth(rate, count, variance: (1 + correlation) / (1 - correlation))
    #expect(abs(realised - rate) < width, "\(realised) for \(rate)")
    // Bursts are geometric: their standard deviation is √(B (B − 1)).
    let mean = Double(run.bursts.reduce(0, +)) / Double(run.bursts.count)
    let burstWidth = 2.576 * (burst * (burst - 1) / Double(run.bursts.count)).squareRoot()
    #expect(abs(mean - burst) <= burstWidth, "\(mean) for \(burst)")
  }

  @Test("Gilbert's chances are those of the known examples")
  func gilbertChances() {
    let one = LossProcess.gilbertChances(meanRate: 0.01, meanBurstPackets: 5)
    #expect(abs(one.leavesGood - 0.00202) < 1e-5 && one.leavesBad == 0.2)
    let three = LossProcess.gilbertChances(meanRate: 0.03, meanBurstPackets: 10)
    #expect(abs(three.leavesGood - 0.00309) < 1e-5 && three.leavesBad == 0.1)
  }

  @Test("A pattern is repeated for ever, per direction")
  func pattern() throws {
    var run = try LinkRun { $0.loss = .pattern([true, false, false]) }
    run.send(7, everyMilliseconds: 1)
    run.send(2, everyMilliseconds: 1, from: 7, .toClient)
    #expect(run.dropped == [true, false, false, true, false, false, true, true, false])
  }

  @Test("Loss needs no rate, and comes before it: a lost packet takes no room on the line")
  func lossBeforeRate() throws {
    var run = try LinkRun {
      $0.loss = .pattern([true, false])
      $0.rateBitsPerSecond = 1_200_000
    }
    run.send(4, everyMilliseconds: 0)
    // 1 200 bytes take 8 ms.
    #expect(run.entries.map(\.due) == [nil, 8 * LinkRun.millisecond, nil, 16 * LinkRun.millisecond])
  }
}
