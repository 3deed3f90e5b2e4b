import LatencyReport
import LinkModel

extension Presets {
  /// Patterns of an agent's streams other than a steady flow.
  static let turns =
    [25.0, 75].map { lone(oneWayDelayMilliseconds: $0) } + [
      cadence("jittered", "Tokens at log-normal distances.", .jittered(tokensPerSecond: 50, sigma: 0.8)),
      cadence("bursts", "Eight tokens at once, every 160 ms.", .bursts(tokens: 8, everyMilliseconds: 160)),
      cadence(
        "recorded", "Tokens in pairs, with breaths after sentences and paragraphs.", .recorded(.sentencesWithPauses)),
      Scenario(
        "turn",
        about: """
          A whole turn: text, a second and a half of thinking, text, a tool call whose result the server waits for, \
          text. 2 % loss.
          """,
        source: "\(ours): the link of loss-2.", link: headline(.bernoulli(rate: 0.02, longestBurst: nil)),
        workload: Workload(
          streams: 1, durationSeconds: 8, cadence: .steady(tokensPerSecond: 50),
          thinking: .init(startMilliseconds: 1_500, durationMilliseconds: 1_500), tool: .init(atMilliseconds: 5_000))),
      Scenario(
        "thinking", about: "Eight streams fall silent for 10 s and continue: the first events after a pause. 2 % loss.",
        source: "\(ours): the link of loss-2.", link: headline(.bernoulli(rate: 0.02, longestBurst: nil)),
        workload: Workload(
          streams: 8, durationSeconds: 14, cadence: .steady(tokensPerSecond: 50),
          thinking: .init(startMilliseconds: 2_000, durationMilliseconds: 10_000))),
    ]

  private static func cadence(_ name: String, _ about: String, _ cadence: Workload.Cadence) -> Scenario {
    Scenario(
      name, about: "\(about) Eight streams, 2 % loss.",
      source: "\(ours): the link of loss-2. The cadence is made up, named after its shape.",
      link: headline(.bernoulli(rate: 0.02, longestBurst: nil)),
      workload: Workload(streams: 8, durationSeconds: 5, cadence: cadence))
  }

  private static func lone(oneWayDelayMilliseconds delay: Double) -> Scenario {
    let roundTrip = Int(delay * 2)
    return Scenario(
      "lone-\(roundTrip)",
      about: """
        Two events a second on one stream: each is alone, so nothing behind it shows its loss, and a timer must. \
        \(roundTrip) ms round trip, 2 % loss. Runs for 20 s and often, since few of few events are lost; the verdict \
        is about each run's latest event.
        """,
      source: "\(ours): the probe time-out of RFC 9002 § 6.2 against TCP's tail-loss probe (RFC 8985 § 7) and its "
        + "time-out's floor.",
      link: LinkConditions(
        bothWays: direction(
          delay, rate: 10e6, queueBytes: 150_000, loss: .bernoulli(rate: 0.02, longestBurst: nil))),
      workload: .steady(streams: 1, tokensPerSecond: 2, seconds: 20), repetitions: 20, headline: .excessMax)
  }
}
