package enum Loss: Codable, Hashable, Sendable {
  /// Each packet by itself. With a `longestBurst` the packet after that many drops in a row passes.
  case bernoulli(rate: Double, longestBurst: Int?)
  /// Two states a packet, from the mean share of packets lost and the mean length of a burst in packets.
  case gilbert(meanRate: Double, meanBurstPackets: Double)
  /// Two states in time, independent of the traffic: two protocols see the same conditions.
  case weather(
    goodMeanMilliseconds: Double, goodRate: Double, badMeanMilliseconds: Double, badRate: Double,
    badExtraDelayMilliseconds: Double?)
  /// true drops; repeated for ever.
  case pattern([Bool])

  /// The pattern's name in JSON, where a value without a label would be "_0".
  enum PatternCodingKeys: String, CodingKey { case _0 = "drops" }
}
