import CLinux
package import HTTP3Engine

/// This machine's own addresses.
package enum LocalAddresses {
  /// Whether an interface that is running has the address; the port does not matter.
  package static func contain(_ address: NetworkAddress) -> Bool {
    var address = address.system
    return clinux_network_has_address(&address)
  }
}
