/// The paths of a connection (RFC 9000 § 9): where a client moves to, from where a server's client may be sent to, and what
/// the library finds out about each.
final class ConnectionPaths {
  private let isServer: Bool
  private let configuration: ConnectionConfiguration
  private let quic: QUICConnection
  private let handshake: ConnectionHandshake
  private let lifetime: ConnectionLifetime
  private let watch: PathWatch
  private let events: EventQueue
  private let qlog: QlogTrace?
  // Asked for each packet. Both are values that call nothing which comes back to them: no check for overlapping access, as
  // at ``StreamState/watch``.
  @exclusivity(unchecked) private var migration = PathMigration()
  @exclusivity(unchecked) private var clientAddresses = ClientAddresses()

  init(
    _ quic: QUICConnection, _ handshake: ConnectionHandshake, _ lifetime: ConnectionLifetime, _ watch: PathWatch,
    _ events: EventQueue, qlog: QlogTrace?, _ configuration: ConnectionConfiguration, isServer: Bool
  ) {
    self.quic = quic
    self.handshake = handshake
    self.lifetime = lifetime
    self.watch = watch
    self.events = events
    self.qlog = qlog
    self.configuration = configuration
    self.isServer = isServer
  }

  // MARK: A client's migration

  /// See ``HTTP3Connection/migrate(to:_:at:)``.
  func migrate(to path: NetworkPath, _ kind: MigrationKind, at now: Timestamp) -> MigrationOutcome {
    guard !lifetime.isClosed, !isServer, let current = quic.path else { return .closed }
    guard migration.take(path.local, from: current.local) else { return .addressUsed }
    return start(PathMigration.Order(path: path, kind: kind), at: now)
  }

  /// Starts the migration that waited for what may have come now.
  func startQueuedMigration(at now: Timestamp) {
    guard !lifetime.isClosed, let queued = migration.takeQueued() else { return }
    _ = start(queued, at: now)
  }

  /// Withdraws the order that waits; false where there is none.
  func cancelQueuedMigration() -> Bool { migration.takeQueued() != nil }

  private func start(_ order: PathMigration.Order, at now: Timestamp) -> MigrationOutcome {
    _ = migration.takeQueued()
    guard !handshake.isComplete || quic.canMigrate else { return .forbidden }
    switch quic.migrate(to: order.path, order.kind, at: now) {
    case .started:
      qlog?.migrationChanged(order.kind == .probed ? .probing : .started, order.path)
      watch.restart(at: now)
      // The server goes over with the first packet that does more than try the path (RFC 9000 § 9.3).
      watch.requestPing(order.kind == .immediate)
      return .started
    case .tooEarly:
      migration.queue(order)
      return .queued
    case .addressUsed: return .addressUsed
    case .failed(let code):
      lifetime.didFail(code, at: now)
      return .closed
    }
  }

  // MARK: A server's preferred address

  /// See ``HTTP3Connection/preferredAddress``.
  var preferredAddress: NetworkAddress? {
    guard !isServer, let current = quic.path, let addresses = quic.peerParameters?.preferredAddresses else {
      return nil
    }
    return PathMigration.preferredAddress(among: addresses, current: current.remote)
  }

  /// See ``HTTP3Connection/usePreferredAddress(_:)``.
  func usePreferredAddress(_ path: NetworkPath) { migration.prefer(path) }

  /// The path that the library is to try when the handshake is confirmed; nil for none.
  func takePreferredPath() -> NetworkPath? {
    guard let path = migration.preferred else { return nil }
    qlog?.migrationChanged(.probing, path)
    return path
  }

  // MARK: A server's clients

  /// Counts a datagram before the library reads it, and finds the host that the library is to see behind its path.
  func willRead(_ count: Int, from path: NetworkPath) -> ClientAddresses.Host {
    guard isServer else { return 0 }
    let host = host(of: path)
    clientAddresses.didReceive(count, from: path.remote)
    return host
  }

  private func host(of path: NetworkPath) -> ClientAddresses.Host {
    // Where the library lets a client change its port alone, another host's datagrams would be dropped.
    guard !configuration.forbidsMigration else { return 0 }
    if let host = clientAddresses.lastHost(of: path.remote) { return host }
    guard let current = quic.path else { return 0 }
    let flight = quic.flight
    return clientAddresses.host(
      of: path.remote, current: current.remote, currentHost: quic.host,
      muchIsInFlight: flight.byteCount >= flight.window / 4)
  }

  func didWrite(_ count: Int, to path: NetworkPath) { clientAddresses.didSend(count, to: path.remote) }

  /// Whether the library may not be asked for packets now, see ``ClientAddresses``.
  func isAmplificationLimitReached(at now: Timestamp) -> Bool {
    isServer && clientAddresses.isLimitReached(sendingTo: quic.path?.remote, longestTrial: longestTrial, at: now)
  }

  /// The time at which the library is asked all the same.
  var deadline: Timestamp? { clientAddresses.verdictDue }

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
      watch.requestPing(!isServer)
      // It may only be another host in the library's eyes.
      if wantsToken, old?.remote.ip != path.remote.ip { handshake.offerToken(for: path) }
    case .failed:
      qlog?.migrationChanged(.abandoned, path)
      events.append(.pathValidationFailed(path))
      // There is no other to go back to.
      if path == quic.path, !lifetime.isClosed { watch.doubt() }
    case .abandoned: qlog?.migrationChanged(.abandoned, path)
    }
  }
}
