/// One direction of a link; the fields are in the order in which a packet passes them.
package struct DirectionConditions: Codable, Hashable, Sendable {
  /// Times in which every packet is dropped, counted from the link's first packet.
  package var outages: [Outage]?
  /// Whether all UDP packets are dropped.
  package var blocksUDP: Bool?
  /// Larger packets are dropped silently.
  package var maximumPacketBytes: Int?
  /// The numbers of the UDP packets to drop, counted from 1.
  package var droppedUDPPackets: [Int]?
  package var loss: Loss?
  /// Probability that one byte of a packet's payload is changed and its checksum updated, so that it is delivered.
  package var corruptionRate: Double?
  /// The packet after this many changed ones in a row passes as it is.
  package var corruptionLongestBurst: Int?
  package var duplicationRate: Double?
  /// A policer for UDP alone; packets above the rate are dropped.
  package var udpRateBitsPerSecond: Double?
  package var rateBitsPerSecond: Double?
  /// The times at which the link can carry 1 500 bytes, in milliseconds from its start, over and over; the last is
  /// the period. Mahimahi's traces in memory; takes the place of `rateBitsPerSecond`.
  package var deliveryOpportunitiesMilliseconds: [Int]?
  /// A drop-tail queue before the rate, by bytes or by packets; without either it has no end.
  package var queueBytes: Int?
  package var queuePackets: Int?
  package var oneWayDelayMilliseconds: Double
  package var delaySteps: DelaySteps?
  package var jitter: Jitter?
  /// Whether jitter may let a packet overtake one before it; order is kept otherwise.
  package var jitterReorders: Bool?
  /// Probability that a packet skips the delay stage, and so comes early.
  package var earlyRate: Double?

  package init(oneWayDelayMilliseconds: Double) {
    self.oneWayDelayMilliseconds = oneWayDelayMilliseconds
  }
}
