import HTTP3Engine

/// The source of a client, as far as a server can distinguish them: an IPv4 address or an IPv6 /56.
package enum SourcePrefix: Hashable, Sendable {
  case v4(UInt32)
  /// The first 56 bits.
  case v6(UInt64)

  /// nil where the text is no IP address.
  package init?(literal: String) {
    guard let address = NetworkAddress(literal: literal, port: 0) else { return nil }
    self.init(address)
  }

  init(_ address: NetworkAddress) {
    switch address.ip {
    case .v4(let bits): self = .v4(bits)
    // IPv4 in IPv6's form, as on a socket of both families (RFC 4291 § 2.5.5.2).
    case .v6(0, let low, _) where low >> 32 == 0xffff: self = .v4(UInt32(truncatingIfNeeded: low))
    case .v6(let high, _, _): self = .v6(high >> 8)
    }
  }
}
