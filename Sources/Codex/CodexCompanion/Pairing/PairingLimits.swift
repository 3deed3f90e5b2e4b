/// The limits on pairing.
package struct PairingLimits: Hashable, Sendable {
  /// The time within which a pairing may be confirmed.
  package var lifetime = Duration.seconds(180)
  /// Pairings that the person at the workstation has open; the oldest gives way to one more.
  package var hostPairings = 4
  /// Pairings that were opened from elsewhere, in all.
  package var remotePairings = 8
  /// Confirmations with a wrong nonce, after which a pairing is over.
  package var attempts = 5
  /// Devices of remote pairings that wait for an answer at one time.
  package var remoteQuestions = 2
  /// Pairings opened from elsewhere: these at once, then one in each interval.
  package var requests = RequestRate(burst: 10, interval: .seconds(6))
  /// The same, for one source address.
  package var requestsOfOneAddress = RequestRate(burst: 3, interval: .seconds(60))

  package init() {}
}
