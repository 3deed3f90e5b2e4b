/// An open pairing, as the device that is to confirm it has to be shown.
package struct PairingTicket: CustomStringConvertible, Hashable, Sendable {
  package let pairingID: String
  /// A secret: who has it may ask to be paired.
  package let nonce: String
  /// Milliseconds since 1970.
  package let expiresAt: Int

  /// Without the nonce, which belongs into no log.
  package var description: String { "the pairing \(pairingID)" }
}
