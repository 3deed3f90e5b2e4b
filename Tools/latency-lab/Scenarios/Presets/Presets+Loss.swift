import LinkModel

extension Presets {
  /// Independent loss, each way.
  static let lossy = [0.01, 0.02, 0.05].map { rate in
    let percent = Int((rate * 100).rounded())
    return Scenario(
      "loss-\(percent)",
      about:
        "\(percent) % of packets are lost each way, each by itself, at 50 ms round trip: the headline table's row.",
      source: "\(ours), with the link of the 10 Mbit/s grid of arXiv 2409.16267 and 150 kB of queue.",
      link: headline(.bernoulli(rate: rate, longestBurst: nil)))
  }

  /// Loss in bursts, each way.
  static let bursty = [
    Scenario(
      "burst-1", about: "1 % of packets are lost in bursts of 5 on average, which hit several streams alike.",
      source: "\(ours): simple Gilbert model from mean loss and mean burst, as netem's 'gemodel'.",
      link: headline(.gilbert(meanRate: 0.01, meanBurstPackets: 5))),
    Scenario(
      "burst-3",
      about: """
        3 % of packets are lost in bursts of 10 on average, each of which may hit several streams. A burst ends after \
        packets and not after time: a sender that falls silent in one stays in it.
        """,
      source: "\(ours): simple Gilbert model from mean loss and mean burst, as netem's 'gemodel'.",
      link: headline(.gilbert(meanRate: 0.03, meanBurstPackets: 10))),
  ]
}
