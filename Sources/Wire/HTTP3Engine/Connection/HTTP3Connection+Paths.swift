// Where packets go, and whether the way there carries them.

extension HTTP3Connection {
  /// The path that packets take now.
  package var currentPath: NetworkPath? { quic.path }

  /// The peer's address on the current path.
  package var remoteAddress: NetworkAddress? { quic.path?.remote }

  /// The probe time-out of the current path (RFC 9002 § 6.2.1), without back-off.
  package var probeTimeout: Duration { quic.probeTimeout }

  // MARK: A client's migration

  /// Takes the connection to another local address, whose socket is open; a client's order.
  ///
  /// Keep the old socket open for three probe time-outs (``probeTimeout``) more: packets are on their way to it. A new
  /// order replaces one that is queued or under way.
  package func migrate(to path: NetworkPath, _ kind: MigrationKind, at now: Timestamp) -> MigrationOutcome {
    paths.migrate(to: path, kind, at: quic.advance(to: now))
  }

  /// Withdraws the order that waits for what has not come yet; false where there is none.
  package func cancelQueuedMigration() -> Bool { paths.cancelQueuedMigration() }

  /// The server's address to continue at (RFC 9000 § 9.6), of the family in use if it gave one; known at the handshake's end. A
  /// client's.
  package var preferredAddress: NetworkAddress? { paths.preferredAddress }

  /// Goes over to the server's preferred address as soon as the handshake is confirmed; `path` leads there, and its socket
  /// is open. `pathValidated` or `pathValidationFailed` follows, with which the old path stays in use.
  package func usePreferredAddress(_ path: NetworkPath) { paths.usePreferredAddress(path) }

  // MARK: Liveness

  /// While `isResponseExpected`, a PING goes out after a second of silence, or three probe time-outs where that is longer, if
  /// PINGs are sent at all; otherwise after the configured time.
  package func setResponseExpected(_ isResponseExpected: Bool) { watch.setResponseExpected(isResponseExpected) }

  /// Whether the path was reported as suspect and nothing was acknowledged since.
  package var isPathSuspect: Bool { watch.isSuspect }

  /// Asks the peer for a sign of life with the next datagram, whatever was sent or received before. A client's call.
  package func probePath(at now: Timestamp) {
    if !isClosed { watch.probe(at: now) }
  }

  /// Suspects the path from now on, whatever is in flight: the owner knows that it carries nothing. A client's call.
  package func doubtPath() {
    if !isClosed { watch.doubt() }
  }
}
