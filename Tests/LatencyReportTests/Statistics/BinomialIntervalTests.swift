import LatencyReport
import LinkModel
import Testing

@Suite struct BinomialIntervalTests {
  /// Wilson's interval at 95 % as textbooks print it: 10 of 100 is 5.52 to 17.44 %, 0 of 10 is 0 to 27.75 %.
  @Test func wilsonsIntervalIsTheTextbooks() {
    let ten = BinomialInterval.wilson(successes: 10, trials: 100, z: 1.959_964)
    #expect(isNear(ten.low, 0.0552, within: 5e-5))
    #expect(isNear(ten.high, 0.1744, within: 5e-5))
    let none = BinomialInterval.wilson(successes: 0, trials: 10, z: 1.959_964)
    #expect(isNear(none.low, 0))
    #expect(isNear(none.high, 0.2775, within: 5e-5))
    // Exactly, whatever the number of trials: 0 % of packets lost must hold 0 %.
    for trials in stride(from: 1.0, to: 20_000, by: 97) {
      #expect(BinomialInterval.wilson(successes: 0, trials: trials).low == 0)
      #expect(BinomialInterval.wilson(successes: trials, trials: trials).high == 1)
    }
    #expect(BinomialInterval.wilson(successes: 0, trials: 0) == Interval(low: 0, high: 1))
  }

  /// At 99 %, of 500 fair samples of 1 000 packets at 2 %: about 495 hold the truth.
  @Test func ninetyNineOfAHundredHoldTheTruth() {
    var generator = LinkGenerator(seed: 99)
    let held = (0..<500).count { _ in
      let lost = (0..<1000).count { _ in Double.random(in: 0..<1, using: &generator) < 0.02 }
      return BinomialInterval.wilson(successes: Double(lost), trials: 1000).contains(0.02)
    }
    #expect((488...500).contains(held), "seed 99: \(held) of 500")
  }

  @Test(arguments: [
    (nil, 0.0 as Double?), (Loss.bernoulli(rate: 0.02, longestBurst: nil), 0.02),
    // One drop at most in a row: p / (1 + p).
    (.bernoulli(rate: 0.5, longestBurst: 1), 1 / 3.0), (.bernoulli(rate: 1, longestBurst: 3), 0.75),
    (.gilbert(meanRate: 0.03, meanBurstPackets: 10), 0.03), (.pattern([true, false, false, false]), 0.25),
    (.byTime(meanRate: 0.02, meanBurstMilliseconds: 20), nil), (.perByte(rate: 0.02), nil),
    (.acknowledgements(rate: 0.02, maximumQUICBytes: 100), nil), (.byToken(rate: 0.02, maximumQUICBytes: 100), nil),
    (
      .weather(
        goodMeanMilliseconds: 1, goodRate: 0, badMeanMilliseconds: 1, badRate: 1, badExtraDelayMilliseconds: nil), nil
    ),
  ])
  func theConfiguredRateIsTheLongRunOne(_ row: (loss: Loss?, rate: Double?)) {
    #expect(isNear(BinomialInterval.configuredRate(row.loss), row.rate))
  }

  @Test func burstsAreLessEvidencePacketForPacket() {
    #expect(BinomialInterval.evidencePerPacket(.bernoulli(rate: 0.02, longestBurst: nil)) == 1)
    // Leaving the bad state with 1/10 and entering it with 0.1 x 0.03 / 0.97: correlation 0.8969, evidence 0.0543.
    let share = BinomialInterval.evidencePerPacket(.gilbert(meanRate: 0.03, meanBurstPackets: 10))
    #expect(isNear(share, 0.0543, within: 1e-4))
  }

  /// The widened interval against a chain that is run: seeded, 300 chains of 5 000 packets. It holds about 97 times in
  /// 100, as the number of drops is skewed; without the widening far fewer.
  @Test func theWidenedIntervalHoldsForBursts() {
    var generator = LinkGenerator(seed: 77)
    let (leave, enter) = (0.2, 0.2 * 0.05 / 0.95)
    let evidence = BinomialInterval.evidencePerPacket(.gilbert(meanRate: 0.05, meanBurstPackets: 5))
    var (held, naive) = (0, 0)
    for _ in 0..<300 {
      var isBad = Double.random(in: 0..<1, using: &generator) < 0.05
      var lost = 0.0
      for _ in 0..<5000 {
        if isBad { lost += 1 }
        isBad = Double.random(in: 0..<1, using: &generator) < (isBad ? 1 - leave : enter)
      }
      if BinomialInterval.wilson(successes: lost * evidence, trials: 5000 * evidence).contains(0.05) { held += 1 }
      if BinomialInterval.wilson(successes: lost, trials: 5000).contains(0.05) { naive += 1 }
    }
    #expect(held >= 288, "seed 77: \(held) of 300")
    #expect(naive < 270, "seed 77: \(naive) of 300 without the widening")
  }
}
