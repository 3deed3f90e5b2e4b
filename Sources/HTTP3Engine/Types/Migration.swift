/// How a client goes over to another of its addresses (RFC 9000 § 9).
package enum MigrationKind: Hashable, Sendable {
  /// The new path is tried first and taken when it has answered; for an old path that still works (§ 9.1).
  case probed
  /// The new path is taken at once and tried on the way; for an old path that is gone (§ 9.2).
  case immediate
}

/// What became of an order to migrate.
package enum MigrationOutcome: Hashable, Sendable {
  /// The path is being tried; `pathValidated` or `pathValidationFailed` follows, unless another order comes first.
  case started
  /// It starts as soon as the server has confirmed the handshake and given an unused connection id.
  case queued
  /// The server forbids it (`disable_active_migration`, RFC 9000 § 18.2), or has connection ids of no length (§ 9.5).
  case forbidden
  /// The connection is, or lately was, at this address and port: open a new port.
  case addressUsed
  /// The connection is closed.
  case closed
}

/// What a connection keeps for its migrations.
struct MigrationState {
  /// One that waits for the handshake's confirmation or a connection id.
  var queued: (path: NetworkPath, kind: MigrationKind)?
  /// The way to the server's preferred address, whose socket is open.
  var preferred: NetworkPath?
  /// A PING is to go out on the current path.
  var isPingDue = false
  var clientAddresses = ClientAddresses()
  /// When the library is asked for packets although nothing may be sent; nil while something may.
  var verdictDue: Timestamp?
  private var lateAddresses: [NetworkAddress] = []

  /// False if the connection was at `address` lately. A server on ngtcp2 before 1.25 that is trying the path back to the
  /// old address takes a client's return to it for part of that, and sends to the new one until its client gives up
  /// (ngtcp2#2257).
  mutating func take(_ address: NetworkAddress, from current: NetworkAddress) -> Bool {
    guard address != current, !lateAddresses.contains(address) else { return false }
    lateAddresses = Array((lateAddresses + [current]).suffix(Self.lateAddressLimit))
    return true
  }

  private static let lateAddressLimit = 16
}
