/// The kind of client that a pairing is opened for; it decides on the QR code's text.
package enum PairingClient: String, CaseIterable, Hashable, Sendable {
  /// Our own, which pins the certificate.
  case own
  /// One of the public protocol, which cannot.
  case publicProtocol = "public"
  /// The page in a browser: a phone's camera opens no `codexremote://`.
  case browser
}
