package import ResolveKitCore

/// A pairing that was opened: what the new device has to be shown.
package struct ControlPairing: Hashable, Sendable {
  package let pairingID: String
  /// The text of the QR code. It carries a secret that allows its holder to ask to be paired.
  package let uri: String
  /// Milliseconds since 1970.
  package let expiresAt: Int
  package let code: QRCode

  package init(pairingID: String, uri: String, expiresAt: Int, code: QRCode) {
    self.pairingID = pairingID
    self.uri = uri
    self.expiresAt = expiresAt
    self.code = code
  }

  init(_ fields: ControlFields) throws(ControlError) {
    pairingID = try fields.id("pairingId")
    uri = try fields.text("uri")
    expiresAt = try fields.time("expiresAt")
    guard let code = QRCode(rows: try fields.texts("modules", limit: QRCode.maximumWidth)) else {
      throw ControlError(.invalid, "A pairing's QR code is no square of 0 and 1.")
    }
    self.code = code
  }

  var json: JSONValue {
    [
      "pairingId": .string(pairingID), "uri": .string(uri), "expiresAt": .time(expiresAt),
      "modules": .array(code.rows.map { .string($0) }),
    ]
  }
}
