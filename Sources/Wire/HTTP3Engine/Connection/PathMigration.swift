/// A client's orders to move to other addresses (RFC 9000 § 9): the one that waits, and the addresses that it was at.
struct PathMigration {
  struct Order: Equatable {
    var path: NetworkPath
    var kind: MigrationKind
  }

  private static let lateAddressLimit = 16

  /// Waits for the handshake's confirmation or for a connection id.
  private var queued: Order?
  private var lateAddresses: [NetworkAddress] = []
  /// The way to the server's preferred address, whose socket is open (RFC 9000 § 9.6).
  private(set) var preferred: NetworkPath?

  /// False if the connection was at `address` lately. A server on ngtcp2 before 1.25 that is trying the path back to the
  /// old address takes a client's return to it for part of that, and sends to the new one until its client gives up
  /// (ngtcp2#2257).
  mutating func take(_ address: NetworkAddress, from current: NetworkAddress) -> Bool {
    guard address != current, !lateAddresses.contains(address) else { return false }
    lateAddresses = Array((lateAddresses + [current]).suffix(Self.lateAddressLimit))
    return true
  }

  /// Takes the way to the server's preferred address.
  mutating func prefer(_ path: NetworkPath) { preferred = path }

  /// The address to continue at among those that a server gave, of the family in use if there is one.
  ///
  /// An address of this machine counts only where the server is on it: others have no business there
  /// (RFC 9000 § 21.5.6).
  static func preferredAddress(among addresses: [NetworkAddress], current: NetworkAddress) -> NetworkAddress? {
    let usable = addresses.filter { !$0.isOfThisMachine || current.isOfThisMachine }
    return usable.first { $0.isIPv4 == current.isIPv4 } ?? usable.first
  }

  /// Keeps an order until it can be carried out; it replaces the one that waits.
  mutating func queue(_ order: Order) { queued = order }

  /// Takes the order that waits.
  mutating func takeQueued() -> Order? {
    // Asked after each datagram, and nearly always for nothing.
    guard queued != nil else { return nil }
    defer { queued = nil }
    return queued
  }
}
