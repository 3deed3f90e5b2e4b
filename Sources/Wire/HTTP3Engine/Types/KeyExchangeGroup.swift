/// A group for TLS's key exchange (RFC 8446 § 4.2.7).
package enum KeyExchangeGroup: UInt16, Hashable, Sendable {
  case secp256r1 = 0x17
  case secp384r1 = 0x18
  case secp521r1 = 0x19
  case x25519 = 0x1d
  case x448 = 0x1e

  /// X25519 first, which costs least.
  package static let usual: [KeyExchangeGroup] = [.x25519, .secp256r1, .secp384r1, .secp521r1]

  /// GnuTLS's name of the group.
  var priorityName: String {
    switch self {
    case .secp256r1: "SECP256R1"
    case .secp384r1: "SECP384R1"
    case .secp521r1: "SECP521R1"
    case .x25519: "X25519"
    case .x448: "X448"
    }
  }
}
