/// A client's way of moving to another of its addresses (RFC 9000 § 9).
package enum MigrationKind: Hashable, Sendable {
  /// The new path is tried first and taken when it has answered; for an old path that still works (§ 9.1).
  case probed
  /// The new path is taken at once and tried on the way; for an old path that is gone (§ 9.2).
  case immediate
}

/// The outcome of an order to migrate.
package enum MigrationOutcome: Hashable, Sendable {
  /// The path is being tried; `pathValidated` or `pathValidationFailed` follows, unless another order comes first.
  case started
  /// Starts as soon as the server has confirmed the handshake and given an unused connection id.
  case queued
  /// The server forbids it (`disable_active_migration`, RFC 9000 § 18.2), or has connection ids of no length (§ 9.5).
  case forbidden
  /// The connection is, or lately was, at this address and port: open a new port.
  case addressUsed
  /// The connection is closed.
  case closed
}

/// The library's verdict on a path that it has tried (RFC 9000 § 8.2).
enum PathVerdict {
  case valid
  case failed
  /// Another trial took its place.
  case abandoned
}
