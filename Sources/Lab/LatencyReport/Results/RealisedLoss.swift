package import LinkModel

/// The loss that the link realised in one direction, compared with the configured loss.
///
/// Only TCP and UDP packets count. `packets` are those that reached the random loss stage, `lost` those that it
/// dropped; packets dropped before or after it (outage, filter, full queue) are in `drops` alone.
package struct RealisedLoss: Codable, Hashable, Sendable {
  package var direction: LinkDirection
  package var packets: Int
  package var lost: Int
  /// The mean loss that was configured, in percent; nil where it has no fixed value, as with weather in time,
  /// loss by length or loss by token.
  package var configuredPercent: Double?
  /// The 99 % interval of the realised loss, in percent; for losses in bursts it is widened by their correlation.
  package var lowPercent: Double
  package var highPercent: Double
  /// The number of packets that each cause dropped, by the cause's name.
  package var drops: [String: Int]

  package init(
    direction: LinkDirection, packets: Int, lost: Int, configuredPercent: Double?, lowPercent: Double,
    highPercent: Double, drops: [String: Int]
  ) {
    self.direction = direction
    self.packets = packets
    self.lost = lost
    self.configuredPercent = configuredPercent
    self.lowPercent = lowPercent
    self.highPercent = highPercent
    self.drops = drops
  }

  /// The loss in percent; nil before the first packet.
  package var realisedPercent: Double? { packets == 0 ? nil : 100 * Double(lost) / Double(packets) }

  /// Whether the configured loss lies in the interval; nil where there is nothing to judge.
  package var isAsConfigured: Bool? {
    guard let configuredPercent, packets > 0 else { return nil }
    return lowPercent <= configuredPercent && configuredPercent <= highPercent
  }
}
