/// A cipher suite of TLS 1.3 (RFC 8446 § B.4), in the order of what they cost per packet.
package enum CipherSuite: UInt16, Hashable, Sendable, CaseIterable {
  case aes128GCM = 0x1301
  case aes256GCM = 0x1302
  case chaCha20Poly1305 = 0x1303

  /// GnuTLS's name of the cipher.
  var priorityName: String {
    switch self {
    case .aes128GCM: "AES-128-GCM"
    case .aes256GCM: "AES-256-GCM"
    case .chaCha20Poly1305: "CHACHA20-POLY1305"
    }
  }
}
