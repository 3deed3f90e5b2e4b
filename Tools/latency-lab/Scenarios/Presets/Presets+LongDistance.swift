import LinkModel

extension Presets {
  /// Satellites, and the slow tail of mobile networks.
  static let longDistance = [
    Scenario(
      "leo",
      about: """
        A satellite in low orbit: every 15 s another one takes over, the delay jumps by up to 5 ms, and half of the \
        packets are lost for 100 ms. Runs for 20 s, so that one such step falls into every run.
        """,
      source: "\(ours), after measurements of Starlink (IMC 2022): 80/10 Mbit/s, 25 ms one way, reconfiguration every "
        + "15 s, 1 % loss.",
      link: leo(everyMilliseconds: 15_000), workload: .steady(streams: 8, tokensPerSecond: 50, seconds: 20)),
    Scenario(
      "leo-fast",
      about: "As leo, but a satellite every 3 s, which none does: four steps in 12 s, for results in less time.",
      source: "\(ours): leo with another period.",
      link: leo(everyMilliseconds: 3_000), workload: .steady(streams: 8, tokensPerSecond: 50, seconds: 12)),
    Scenario(
      "geo",
      about: """
        A geostationary satellite: 600 ms round trip. At 20 tokens/s, since at 50 a congestion control that takes loss \
        for a full queue has no room for eight streams.
        """,
      source: "\(ours): 20/3 Mbit/s, 300 ms one way, 0.5 % loss, queues of one bandwidth-delay product.",
      link: LinkConditions(
        toClient: direction(300, rate: 20e6, queueBytes: 1_500_000, loss: .bernoulli(rate: 0.005, longestBurst: nil)),
        toServer: direction(300, rate: 3e6, queueBytes: 225_000, loss: .bernoulli(rate: 0.005, longestBurst: nil))),
      workload: .steady(streams: 8, tokensPerSecond: 20, seconds: 10)),
    Scenario(
      "uber-tail",
      about: """
        Mobile networks of riders and drivers worldwide: long and very uneven round trips, 3.5 % loss. At 10 tokens/s, \
        for the reason that geo has 20.
        """,
      source:
        "Uber 2019, 'Employing QUIC Protocol to Optimize Uber's App Performance': round trips of 350/425/725/2300 "
        + "ms (p50/75/95/99), 3.5 % loss. Ours: 2 Mbit/s, 175 ms one way and right-skewed jitter of 60 ms on average, "
        + "500 ms at most.",
      link: LinkConditions(bothWays: uberTail), workload: .steady(streams: 8, tokensPerSecond: 10, seconds: 10)),
  ]

  private static func leo(everyMilliseconds: Double) -> LinkConditions {
    let steps = DelaySteps(
      everyMilliseconds: everyMilliseconds, amplitudeMilliseconds: 5, lossRate: 0.5, lossDurationMilliseconds: 100)
    let loss = Loss.bernoulli(rate: 0.01, longestBurst: nil)
    var link = LinkConditions(
      toClient: direction(25, rate: 80e6, queueBytes: 500_000, loss: loss),
      toServer: direction(25, rate: 10e6, queueBytes: 62_500, loss: loss))
    link.toClient.delaySteps = steps
    link.toServer.delaySteps = steps
    return link
  }

  private static var uberTail: DirectionConditions {
    var conditions = direction(
      175, rate: 2e6, queueBytes: 150_000, loss: .bernoulli(rate: 0.035, longestBurst: nil))
    conditions.jitter = .rightSkewed(meanMilliseconds: 60, maximumMilliseconds: 500)
    return conditions
  }
}
