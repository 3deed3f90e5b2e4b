/// The request of a device to be paired.
package struct PairingConfirmation: Sendable {
  package var pairingID: String
  package var nonce: String
  package var deviceName: String

  package init(pairingID: String, nonce: String, deviceName: String) {
    self.pairingID = pairingID
    self.nonce = nonce
    self.deviceName = deviceName
  }
}
