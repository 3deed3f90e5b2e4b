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

  /// Loss by other laws than one for every packet.
  static let lawful = [
    Scenario(
      "timed-3",
      about: """
        Each way everything is lost in 3 % of the time, 25 ms at once on average: the same times for every client. \
        Unlike in burst-3 a burst ends by itself while a sender is silent.
        """,
      source: "\(ours): burst-3 by the clock, 25 ms being ten packets of eight streams at 50 tokens/s.",
      link: headline(.byTime(meanRate: 0.03, meanBurstMilliseconds: 25))),
    Scenario(
      "by-length",
      about: """
        Each way bytes are damaged and packets lost with them: 2 % of those of 1500 bytes, 0.2 % of those of 150. What \
        sends many small packets is spared.
        """,
      source: "\(ours): independent errors, 1.35 in 100 000 bytes.", link: headline(.perByte(rate: 1.35e-5))),
    Scenario(
      "ack-loss",
      about: """
        A fifth of the client's acknowledgements is lost and nothing else: TCP's segments without payload, QUIC's \
        packets of at most 100 bytes with a short header.
        """,
      source: """
        \(ours). In simulations our client's acknowledgements have 70 to 80 bytes over IPv4, and up to 90 where 5 % of \
        what they acknowledge is lost.
        """,
      link: acknowledgementLoss),
    Scenario(
      "token-5",
      about: """
        Of 5 % of the tokens the packet that brings them first is lost, of the same tokens for every client, and \
        nothing else.
        """,
      source: "\(ours): loss-5 with the same lost tokens for clients that send differently.", link: tokenLoss),
  ]

  private static var tokenLoss: LinkConditions {
    var link = headline(nil)
    link.toClient.loss = .byToken(rate: 0.05, maximumQUICBytes: 100)
    return link
  }

  private static var acknowledgementLoss: LinkConditions {
    var link = headline(nil)
    link.toServer.loss = .acknowledgements(rate: 0.2, maximumQUICBytes: 100)
    return link
  }
}
