import CLinux
package import HTTP3Engine

extension NetworkAddress {
  /// The shim's form of this address.
  var system: clinux_address {
    switch ip {
    case .v4(let address):
      clinux_address(high: 0, low: UInt64(address), scope: 0, port: port, family: 4)
    case .v6(let high, let low, let scope):
      clinux_address(high: high, low: low, scope: scope, port: port, family: 6)
    }
  }

  /// Nil for a family that is not IP.
  init?(_ system: clinux_address) {
    switch system.family {
    case 4: self.init(ip: .v4(UInt32(truncatingIfNeeded: system.low)), port: system.port)
    case 6: self.init(ip: .v6(system.high, system.low, scope: system.scope), port: system.port)
    default: return nil
    }
  }

  /// An address literal such as `127.0.0.1`, `::1` or `fe80::1%eth0`; nil for a name.
  package init?(literal: String, port: UInt16) {
    var address = clinux_address()
    guard clinux_read_literal(literal, port, &address) else { return nil }
    self.init(address)
  }

  /// The address of the same family that stands for any interface.
  var wildcard: NetworkAddress {
    NetworkAddress(ip: isIPv4 ? .v4(0) : .v6(0, 0, scope: 0), port: 0)
  }

  var isWildcard: Bool {
    switch ip {
    case .v4(let address): address == 0
    case .v6(let high, let low, _): high == 0 && low == 0
    }
  }
}
