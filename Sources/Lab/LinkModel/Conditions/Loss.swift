package enum Loss: Codable, Hashable, Sendable {
  /// Each packet by itself. With a `longestBurst` the packet after that many drops in a row passes.
  case bernoulli(rate: Double, longestBurst: Int?)
  /// Two states a packet, from the mean share of packets lost and the mean length of a burst in packets.
  case gilbert(meanRate: Double, meanBurstPackets: Double)
  /// Two states in time, independent of the traffic: two protocols see the same conditions.
  case weather(
    goodMeanMilliseconds: Double, goodRate: Double, badMeanMilliseconds: Double, badRate: Double,
    badExtraDelayMilliseconds: Double?)
  /// Bursts that last for a time and not for packets: two states in time, each direction with its own, and everything is
  /// lost in the bad one. Both arms of a pair have the same bad times, and a sender that falls silent leaves a burst.
  case byTime(meanRate: Double, meanBurstMilliseconds: Double)
  /// Each byte by itself, and a packet with all its bytes: the longer it is, the likelier it is lost.
  /// `rate` is the probability for one byte; a packet of n bytes is lost with 1 − (1 − rate)ⁿ.
  case perByte(rate: Double)
  /// Acknowledgements alone, each by itself; everything else passes. TCP shows them: segments with the flag ACK, without
  /// SYN, FIN and RST, and without payload. QUIC encrypts them, so a packet with a short header counts as one if the
  /// whole IP packet has at most `maximumQUICBytes`: small packets with other frames (flow control, PING) are among them.
  case acknowledgements(rate: Double, maximumQUICBytes: Int)
  /// The packet that brings a token first: of the marked tokens (``TokenMark``) each by itself with `rate`, the same ones
  /// for every client and protocol, the next packet toward the client with a payload. Everything else passes. Packets
  /// without one are distinguished as for `acknowledgements`.
  case byToken(rate: Double, maximumQUICBytes: Int)
  /// true drops; repeated for ever.
  case pattern([Bool])

  /// The probability that `perByte` loses a packet of n bytes: 1 − (1 − rate)ⁿ, by doubling, which needs no C
  /// library and loses no digits where the rate is small.
  package static func chance(ofLosing bytes: Int, byteRate: Double) -> Double {
    var chance = 0.0
    var power = byteRate
    var rest = bytes
    while rest > 0 {
      if rest & 1 == 1 { chance += power - chance * power }
      power += power - power * power
      rest >>= 1
    }
    return chance
  }

  /// The pattern's name in JSON, where a value without a label would be "_0".
  enum PatternCodingKeys: String, CodingKey { case _0 = "drops" }
}
