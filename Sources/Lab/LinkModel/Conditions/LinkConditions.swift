/// A link's effect on packets, each way; the same value drives virtual time and real packets.
///
/// Every name carries its unit: one-way delays in milliseconds, rates in bits per second of whole IP packets, sizes in
/// bytes of whole IP packets, probabilities between 0 and 1. A nil field means that its stage is not there.
package struct LinkConditions: Codable, Hashable, Sendable {
  /// From the server to the client: what many call "down".
  package var toClient: DirectionConditions
  /// From the client to the server: what many call "up".
  package var toServer: DirectionConditions
  /// A NAT between the two that forgets its bindings.
  package var rebinding: Rebinding?

  package init(toClient: DirectionConditions, toServer: DirectionConditions, rebinding: Rebinding? = nil) {
    self.toClient = toClient
    self.toServer = toServer
    self.rebinding = rebinding
  }

  /// The same in both directions.
  package init(bothWays direction: DirectionConditions, rebinding: Rebinding? = nil) {
    self.init(toClient: direction, toServer: direction, rebinding: rebinding)
  }

  /// Whether loss is by token, for which the origin has to mark each (``TokenMark``).
  package var losesByToken: Bool { if case .byToken? = toClient.loss { true } else { false } }

  /// The round-trip time of an empty link without jitter, in milliseconds.
  package var roundTripMilliseconds: Double { toClient.oneWayDelayMilliseconds + toServer.oneWayDelayMilliseconds }
}
