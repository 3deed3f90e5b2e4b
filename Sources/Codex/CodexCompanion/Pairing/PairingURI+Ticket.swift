package import CodexRemoteContract
import JSONService

extension PairingURI {
  /// The text for a device that is to confirm a ticket.
  ///
  /// - Parameter fingerprint: SHA-256 of the certificate that is to be pinned.
  package init(scheme: Scheme, host: String, port: Int, ticket: PairingTicket, fingerprint: [UInt8]? = nil) {
    self.init(
      scheme: scheme, host: host, port: port, pairingID: ticket.pairingID, nonce: ticket.nonce,
      fingerprint: fingerprint.map { Hexadecimal.text($0) })
  }
}
