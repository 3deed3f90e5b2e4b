import LinkModel

extension Presets {
  /// Radio links close to the ground.
  static let wireless = [
    Scenario(
      "cafe-wifi",
      about: """
        A busy wireless network: good for 2 s on average, then bad for 150 ms, in which 30 % of packets are lost and \
        the others take 40 ms longer. Its times are the same for every protocol. Runs for 10 s, to \
        meet several bad times.
        """,
      source: "\(ours): 8/2 Mbit/s, 20 ms one way, right-skewed jitter of 8 ms on average and 30 ms at most, 150 kB of "
        + "queue; continuous-time Gilbert-Elliott loss of 0.1 % and 30 %.",
      link: LinkConditions(toClient: cafe(rate: 8e6), toServer: cafe(rate: 2e6)),
      workload: .steady(streams: 8, tokensPerSecond: 50, seconds: 10)),
    Scenario(
      "lte-drive",
      about: """
        A cellular link from a moving car: seconds that are good or bad, and outages of up to 1.5 s. The trace is \
        made up, named after its shape, and the same in every run; which packets are lost besides, 0.1 %, is not. Runs \
        for 20 s, to meet several phases.
        """,
      source: "\(ours): a generated delivery trace with the outages (1.1 to 1.5 s) and mean rates of public recordings "
        + "in Mahimahi's format, 30 ms one way, 150 kB of queue.",
      link: LinkConditions(toClient: drive(peak: 16e6), toServer: drive(peak: 8e6)),
      workload: .steady(streams: 8, tokensPerSecond: 50, seconds: 20)),
  ]

  private static func cafe(rate: Double) -> DirectionConditions {
    var conditions = direction(
      20, rate: rate, queueBytes: 150_000,
      loss: .weather(
        goodMeanMilliseconds: 2_000, goodRate: 0.001, badMeanMilliseconds: 150, badRate: 0.3,
        badExtraDelayMilliseconds: 40))
    conditions.jitter = .rightSkewed(meanMilliseconds: 8, maximumMilliseconds: 30)
    return conditions
  }

  /// One seed for both directions, so that outages hit both; this one has 0.6, 0.3 and 1.4 s of them in its first 20 s.
  private static func drive(peak: Double) -> DirectionConditions {
    var conditions = direction(30, queueBytes: 150_000, loss: .bernoulli(rate: 0.001, longestBurst: nil))
    conditions.deliveryOpportunitiesMilliseconds = SyntheticTrace.lteDrive(
      seed: 107, durationMilliseconds: 30_000, peakBitsPerSecond: peak)
    return conditions
  }
}
