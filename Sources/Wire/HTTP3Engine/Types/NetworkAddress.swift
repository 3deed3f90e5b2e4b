/// An IPv4 or IPv6 address with a port.
package struct NetworkAddress: Hashable, Sendable, CustomStringConvertible {
  package enum IP: Hashable, Sendable {
    /// Four bytes in network order, packed as an integer in host order (127.0.0.1 is 0x7f000001).
    case v4(UInt32)
    /// Sixteen bytes in network order, and the scope (interface index) of a link-local address, 0 for none.
    case v6(UInt64, UInt64, scope: UInt32)
  }

  package var ip: IP
  package var port: UInt16

  package init(ip: IP, port: UInt16) {
    self.ip = ip
    self.port = port
  }

  package var isIPv4: Bool {
    switch ip {
    case .v4: true
    case .v6: false
    }
  }

  package var isLoopback: Bool {
    switch ip {
    case .v4(let address): address >> 24 == 127
    case .v6(let high, let low, _): high == 0 && low == 1
    }
  }

  /// Whether what is sent there stays on this machine, as also to the unspecified address; with IPv4 ones in IPv6's form.
  package var isOfThisMachine: Bool {
    switch ip {
    case .v4(let address): isLoopback || address == 0
    case .v6(0, let low, _): low <= 1 || low >> 24 == 0x00ff_ff7f || low == 0xffff_0000_0000
    case .v6: false
    }
  }

  package static func loopback(port: UInt16) -> NetworkAddress {
    NetworkAddress(ip: .v4(0x7f00_0001), port: port)
  }

  /// `127.0.0.1:443` or `[::1]:443`, IPv6 uncompressed.
  package var description: String { isIPv4 ? "\(literal):\(port)" : "[\(literal)]:\(port)" }

  /// The same without the port and brackets.
  package var literal: String {
    switch ip {
    case .v4(let address):
      return [24, 16, 8, 0].map { String(address >> UInt32($0) & 0xff) }.joined(separator: ".")
    case .v6(let high, let low, let scope):
      if high == 0, low == 1 { return "::1" }
      let groups = [high, low].flatMap { half in
        [48, 32, 16, 0].map { String(half >> UInt64($0) & 0xffff, radix: 16) }
      }
      return groups.joined(separator: ":") + (scope == 0 ? "" : "%\(scope)")
    }
  }
}

/// The two ends that a datagram travels between.
package struct NetworkPath: Hashable, Sendable {
  package var local: NetworkAddress
  package var remote: NetworkAddress

  package init(local: NetworkAddress, remote: NetworkAddress) {
    self.local = local
    self.remote = remote
  }
}
