package import LinkModel

/// One end of a link: a network namespace whose only way out is the link.
///
/// The addresses are of the range for benchmarks (RFC 2544, 198.18.0.0/15) and for documentation (RFC 3849), so that
/// they collide with no other.
package enum LinkSide: String, Codable, Hashable, Sendable, CaseIterable {
  case client, server

  package var address: String {
    switch self {
    case .client: "198.18.0.100"
    case .server: "198.18.1.100"
    }
  }

  package var addressIPv6: String {
    switch self {
    case .client: "2001:db8:18::100"
    case .server: "2001:db8:18:1::100"
    }
  }

  package var other: LinkSide { self == .client ? .server : .client }

  /// The direction of the packets that this side sends.
  package var sendingDirection: LinkDirection { self == .client ? .toServer : .toClient }

  init(receiving direction: LinkDirection) {
    self = direction == .toClient ? .client : .server
  }

  /// Routed through the link from either side; the rest of the world is unreachable at once. A default route would let
  /// searches for name servers onto the link: they would wait for nothing, start its clock and shift its randomness.
  static let network = (address: "198.18.0.0", prefixLength: UInt8(15))
  static let networkIPv6 = (address: "2001:db8:18::", prefixLength: UInt8(63))

  /// The name of the TUN device inside the namespace.
  static let deviceName = "link0"
}
