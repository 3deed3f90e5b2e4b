import LinkModel

extension ScenarioShape {
  /// One direction of a link; the ranges are those that the model checks.
  static let direction = Shape.object([
    .init(
      "outages", "Times in which every packet is dropped, counted from the link's first packet.",
      .list(of: outage, .init(0, 1_000))),
    .init("blocksUDP", "Whether all UDP packets are dropped.", .flag),
    .init(
      "maximumPacketBytes", "Larger IP packets are dropped silently.",
      .integer(.init(68, Double(LinkLimits.maximumPacketBytes)))),
    .init(
      "droppedUDPPackets", "Which UDP packets are dropped, counted from 1.",
      .list(of: .integer(.init(1, 1_000_000_000)), .init(0, 100_000))),
    .init("loss", "How packets are lost.", loss),
    .init("corruptionRate", "Probability that a byte is changed and the checksum updated.", probability),
    .init(
      "corruptionLongestBurst", "The packet after this many changed ones in a row passes as it is.",
      .integer(.init(1, 1_000_000))),
    .init("duplicationRate", "Probability that a packet comes twice.", probability),
    .init("udpRateBitsPerSecond", "A policer for UDP alone; what is above it is dropped.", rate),
    .init("rateBitsPerSecond", "Bits of whole IP packets a second.", rate),
    .init(
      "deliveryOpportunitiesMilliseconds", "Times at which 1 500 bytes can pass, repeated; instead of a rate.",
      .list(of: .integer(.init(0, Double(MahimahiTrace.latestMilliseconds))), opportunities)),
    .init(
      "deliveryTraceFile", "A Mahimahi trace to read these times from; a path relative to this file.",
      .text(most: 4_096)),
    .init("queueBytes", "A drop-tail queue before the rate, in bytes of IP packets.", .integer(.init(1, 1e9))),
    .init("queuePackets", "The same in packets; both limits hold where both are given.", .integer(.init(1, 1_000_000))),
    .init("oneWayDelayMilliseconds", "One way: half of the round trip.", delay, isRequired: true),
    .init("delaySteps", "A delay that jumps, as when a satellite hands over.", delaySteps),
    .init("jitter", "Delay that is added to each packet.", jitter),
    .init("jitterReorders", "Whether jitter may let a packet overtake one before it.", .flag),
    .init("earlyRate", "Probability that a packet skips the delay and comes early.", probability),
  ])

  private static let loss = Shape.choice([
    .init(
      "bernoulli", "Each packet by itself.",
      .object([
        .init("rate", "Probability of loss.", probability, isRequired: true),
        .init("longestBurst", "The packet after this many drops in a row passes.", .integer(.init(1, 1_000_000))),
      ])),
    .init(
      "gilbert", "Bursts: two states a packet, all lost in the bad one.",
      .object([
        .init("meanRate", "Mean share of packets lost.", probability, isRequired: true),
        .init("meanBurstPackets", "Mean length of a burst.", .number(.init(1, 1_000_000)), isRequired: true),
      ])),
    .init(
      "weather", "Two states in time, the same for every protocol.",
      .object([
        .init("goodMeanMilliseconds", "Mean length of good times.", period, isRequired: true),
        .init("goodRate", "Probability of loss in good times.", probability, isRequired: true),
        .init("badMeanMilliseconds", "Mean length of bad times.", period, isRequired: true),
        .init("badRate", "Probability of loss in bad times.", probability, isRequired: true),
        .init("badExtraDelayMilliseconds", "Delay that is added one way in bad times.", delay),
      ])),
    .init(
      "byTime", "Bursts clocked by time: all lost in bad times, which are the same for every protocol.",
      .object([
        .init(
          "meanRate", "Mean share of the time in which all is lost.", .number(.init(0, 0.99, hint: "3 % is 0.03")),
          isRequired: true),
        .init("meanBurstMilliseconds", "Mean length of a bad time.", period, isRequired: true),
      ])),
    .init(
      "perByte", "Each byte by itself, a packet with all its bytes: long packets are lost more often.",
      .object([
        .init(
          "rate", "Probability for one byte; 0.0000135 loses 2 % of packets of 1 500 bytes.",
          .number(.init(0, 1, hint: "of one byte, not of a packet")), isRequired: true)
      ])),
    .init(
      "acknowledgements", "Acknowledgements alone; give it toward the server for those of the client.",
      .object([
        .init("rate", "Probability of loss of each.", probability, isRequired: true),
        .init(
          "maximumQUICBytes",
          "QUIC's packets with a short header count if the IP packet is no larger; TCP's segments without payload do.",
          .integer(.init(Double(LinkLimits.quicBytes.lowerBound), Double(LinkLimits.quicBytes.upperBound))),
          isRequired: true),
      ])),
    .init(
      "byToken", "The packet that brings a token first, toward the client; with the lab's own origin as server.",
      .object([
        .init("rate", "Probability for each token; the same tokens for every client.", probability, isRequired: true),
        .init(
          "maximumQUICBytes", "QUIC's packets with a short header that are no larger bring no token.",
          .integer(.init(Double(LinkLimits.quicBytes.lowerBound), Double(LinkLimits.quicBytes.upperBound))),
          isRequired: true),
      ])),
    .init(
      "pattern", "Which packets are lost, repeated for ever.",
      .object([.init("drops", "true drops.", .list(of: .flag, .init(1, 1_000_000)), isRequired: true)])),
  ])

  private static let outage = Shape.object([
    .init("startMilliseconds", "From the link's first packet.", time, isRequired: true),
    .init("durationMilliseconds", "How long.", .number(.init(0.001, 1e9)), isRequired: true),
    .init("everyMilliseconds", "From one start to the next; without it there is one.", .number(.init(0.001, 1e9))),
  ])

  private static let delaySteps = Shape.object([
    .init("everyMilliseconds", "From one step to the next.", period, isRequired: true),
    .init("amplitudeMilliseconds", "A step draws an offset between minus and plus this.", delay, isRequired: true),
    .init("lossRate", "Probability of loss in the time after each step.", probability),
    .init("lossDurationMilliseconds", "How long that time is.", time),
  ])

  private static let jitter = Shape.choice([
    .init(
      "uniform", "Evenly between 0 and the maximum.",
      .object([.init("maximumMilliseconds", "The largest value.", delay, isRequired: true)])),
    .init(
      "rightSkewed", "Many small and few large values: exponential, cut at the maximum.",
      .object([
        .init("meanMilliseconds", "The mean before the cut.", delay, isRequired: true),
        .init("maximumMilliseconds", "The largest value.", delay, isRequired: true),
      ])),
  ])

  private static let probability = Shape.number(.init(0, 1, hint: "3 % is 0.03"))
  private static let delay = Shape.number(.init(0, 3_600_000))
  private static let rate = Shape.number(.init(1_000, 1e12, hint: "in bits a second, 10 Mbit/s is 10000000"))
  private static let opportunities = Shape.NumberRange(1, Double(MahimahiTrace.mostOpportunities))
}
