package import HTTP3Engine

/// The network between a client's addresses and the server: a translator whose mapping may change, and addresses that may
/// be cut off.
package struct AddressTranslator {
  private var outside: [NetworkAddress: NetworkAddress] = [:]
  private var cutOff: Set<NetworkAddress> = []
  /// Outside addresses that are nobody's any more.
  private var forgotten: Set<NetworkAddress> = []

  /// From now on the server sees `inside` as `outside`; what it sends to the address before is lost.
  package mutating func rebind(_ inside: NetworkAddress, to outside: NetworkAddress) {
    forgotten.insert(self.outside[inside] ?? inside)
    forgotten.remove(outside)
    self.outside[inside] = outside
  }

  /// Nothing goes to or comes from a client's address any more, also not what is on its way.
  package mutating func cutOff(_ inside: NetworkAddress) {
    cutOff.insert(inside)
  }

  package mutating func reconnect(_ inside: NetworkAddress) {
    cutOff.remove(inside)
  }

  /// The server's view of a client's path; nil when nothing passes.
  func serverPath(of path: NetworkPath) -> NetworkPath? {
    guard !cutOff.contains(path.local) else { return nil }
    return NetworkPath(local: path.remote, remote: outside[path.local] ?? path.local)
  }

  /// The client's view of a server's path; nil when nothing passes.
  func clientPath(of path: NetworkPath) -> NetworkPath? {
    guard !forgotten.contains(path.remote) else { return nil }
    let inside = outside.first { $0.value == path.remote }?.key ?? path.remote
    guard !cutOff.contains(inside) else { return nil }
    return NetworkPath(local: inside, remote: path.local)
  }
}
