package import ResolveKitCore

/// A device that asks to be paired, and waits for a person's yes or no at the workstation.
package struct ControlPairingQuestion: ControlRecord {
  package var pairingID: String
  /// The device's own name: any text.
  package var deviceName: String
  /// The address that it asks from.
  package var address: String
  /// Whether the pairing was opened at the workstation, so that the device has seen the code that was shown there.
  package var isOpenedHere: Bool
  /// Milliseconds since 1970, after which the answer is no.
  package var expiresAt: Int

  package init(pairingID: String, deviceName: String, address: String, isOpenedHere: Bool, expiresAt: Int) {
    self.pairingID = pairingID
    self.deviceName = deviceName
    self.address = address
    self.isOpenedHere = isOpenedHere
    self.expiresAt = expiresAt
  }

  package init(_ fields: ControlFields) throws(ControlError) {
    pairingID = try fields.id("pairingId")
    deviceName = try fields.text("deviceName")
    address = try fields.text("address")
    isOpenedHere = try fields.flag("openedHere")
    expiresAt = try fields.time("expiresAt")
  }

  package var json: JSONValue {
    [
      "pairingId": .string(pairingID), "deviceName": .string(deviceName), "address": .string(address),
      "openedHere": .bool(isOpenedHere), "expiresAt": .time(expiresAt),
    ]
  }
}
