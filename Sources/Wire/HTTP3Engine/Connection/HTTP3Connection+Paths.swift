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
    let now = quic.advance(to: now)
    guard !isClosed, !isServer, let current = quic.path else { return .closed }
    guard migration.take(path.local, from: current.local) else { return .addressUsed }
    return start(PathMigration.Order(path: path, kind: kind), at: now)
  }

  /// Starts the migration that waited for what may have come now.
  func startQueuedMigration(at now: Timestamp) {
    guard !isClosed, let queued = migration.takeQueued() else { return }
    _ = start(queued, at: now)
  }

  /// Withdraws the order that waits for what has not come yet; false where there is none.
  package func cancelQueuedMigration() -> Bool { migration.takeQueued() != nil }

  private func start(_ order: PathMigration.Order, at now: Timestamp) -> MigrationOutcome {
    _ = migration.takeQueued()
    guard handshake == nil || quic.canMigrate else { return .forbidden }
    switch quic.migrate(to: order.path, order.kind, at: now) {
    case .started:
      qlog?.migrationChanged(order.kind == .probed ? .probing : .started, order.path)
      liveness.restart(at: now)
      // The server goes over with the first packet that does more than try the path (RFC 9000 § 9.3).
      liveness.requestPing(order.kind == .immediate)
      return .started
    case .tooEarly:
      migration.queue(order)
      return .queued
    case .addressUsed: return .addressUsed
    case .failed(let code):
      didFail(code, at: now)
      return .closed
    }
  }

  /// The server's address to continue at (RFC 9000 § 9.6), of the family in use if it gave one; known at the handshake's end. A
  /// client's.
  package var preferredAddress: NetworkAddress? {
    guard !isServer, let current = quic.path, let addresses = quic.peerParameters?.preferredAddresses else {
      return nil
    }
    return PathMigration.preferredAddress(among: addresses, current: current.remote)
  }

  /// Goes over to the server's preferred address as soon as the handshake is confirmed; `path` leads there, and its socket
  /// is open. `pathValidated` or `pathValidationFailed` follows, with which the old path stays in use.
  package func usePreferredAddress(_ path: NetworkPath) { migration.prefer(path) }

  /// The path that the library is to try when the handshake is confirmed; nil for none.
  func takePreferredPath() -> NetworkPath? {
    guard let path = migration.preferred else { return nil }
    qlog?.migrationChanged(.probing, path)
    return path
  }

  // MARK: A server's clients

  /// The host that the library is to be told of for a datagram's path.
  func host(of path: NetworkPath) -> ClientAddresses.Host {
    // Where the library lets a client change its port alone, another host's datagrams would be dropped.
    guard isServer, !configuration.forbidsMigration else { return 0 }
    if let host = clientAddresses.lastHost(of: path.remote) { return host }
    guard let current = quic.path else { return 0 }
    let flight = quic.flight
    return clientAddresses.host(
      of: path.remote, current: current.remote, currentHost: quic.host,
      muchIsInFlight: flight.byteCount >= flight.window / 4)
  }

  /// Whether the library may not be asked for packets now, see ``ClientAddresses``.
  func isAmplificationLimitReached(at now: Timestamp) -> Bool {
    clientAddresses.isLimitReached(sendingTo: quic.path?.remote, longestTrial: longestTrial, at: now)
  }

  /// For how long the library may try a path after its last challenge: three probe time-outs in all, of which the last
  /// challenge's own, doubled with each round, may be longer.
  private var longestTrial: Duration {
    max(quic.probeTimeout, configuration.initialRoundTrip * 3 + configuration.maximumAckDelay) * 4
  }

  // MARK: Verdicts

  /// The library's verdict on a path.
  func didTry(_ path: NetworkPath, from old: NetworkPath?, _ verdict: PathVerdict, wantsToken: Bool) {
    switch verdict {
    case .valid:
      if isServer {
        if let old, old.remote != path.remote { clientAddresses.didLeave(old.remote, for: quic.host) }
        clientAddresses.didProve(path.remote)
      }
      qlog?.migrationChanged(.complete, path)
      events.append(.pathValidated(path))
      // A client that only listens would reach the server no sooner than its next acknowledgement is due.
      liveness.requestPing(!isServer)
      // The library may only have been told of another host.
      if wantsToken, old?.remote.ip != path.remote.ip { offerToken(for: path) }
    case .failed:
      qlog?.migrationChanged(.abandoned, path)
      events.append(.pathValidationFailed(path))
      // There is no other to go back to.
      if path == quic.path { doubtPath() }
    case .abandoned: qlog?.migrationChanged(.abandoned, path)
    }
  }

  // MARK: Liveness

  /// While `isResponseExpected`, a PING goes out after a second of silence, or three probe time-outs where that is longer, if
  /// PINGs are sent at all; otherwise after the configured time.
  package func setResponseExpected(_ isResponseExpected: Bool) {
    if liveness.setResponseExpected(isResponseExpected) { applyKeepAlive() }
  }

  /// Whether the path was reported as suspect and nothing was acknowledged since.
  package var isPathSuspect: Bool { liveness.isSuspect }

  /// Asks the peer for a sign of life with the next datagram, whatever was sent or received before. A client's call.
  package func probePath(at now: Timestamp) {
    if !isClosed { liveness.probe(at: now) }
  }

  /// Suspects the path from now on, whatever is in flight: the owner knows that it carries nothing. A client's call.
  package func doubtPath() {
    if !isClosed { report(liveness.doubt()) }
  }

  func report(_ change: Liveness.Change?) {
    if let change { events.append(change.event) }
  }

  /// Sets the silence after which the library sends a PING.
  func applyKeepAlive() {
    guard handshake != nil else { return }
    quic.keepAlive(
      after: liveness.keepAliveInterval(
        peerIdleTimeout: quic.peerParameters?.idleTimeout ?? .zero, probeTimeout: quic.probeTimeout))
  }
}
