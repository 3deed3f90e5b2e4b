package import HTTP3Engine

/// A connection's view of this machine's network; tests have one of their own.
package struct LocalNetwork: Sendable {
  /// Opens a socket to a peer, at the address that leads there now.
  package let connect: @Sendable (NetworkAddress) throws(SystemError) -> UDPSocket
  /// Whether an interface that is running has the address; the port does not matter.
  package let contains: @Sendable (NetworkAddress) -> Bool

  package init(
    connect: @escaping @Sendable (NetworkAddress) throws(SystemError) -> UDPSocket,
    contains: @escaping @Sendable (NetworkAddress) -> Bool
  ) {
    self.connect = connect
    self.contains = contains
  }

  /// The kernel's.
  package static let system = LocalNetwork(
    connect: { (address: NetworkAddress) throws(SystemError) -> UDPSocket in try UDPSocket(connectingTo: address) },
    contains: { LocalAddresses.contain($0) })
}
