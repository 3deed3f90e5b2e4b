/// A device that asks to be paired, as the person at the workstation is asked about it.
package struct PairingQuestion: Hashable, Sendable {
  package let pairingID: String
  /// The device's own name, fit to be shown.
  package let deviceName: String
  /// The address that it asks from, fit to be shown.
  package let address: String
  /// Whether the pairing was opened at the workstation, so that the device has seen the code that was shown there.
  package let isOpenedHere: Bool
}
