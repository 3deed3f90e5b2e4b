import CQUIC

extension HTTP3Connection {
  /// The path that packets take now.
  package var currentPath: NetworkPath? {
    ngtcp2_conn_get_path(quic).map { NetworkPath($0.pointee) }
  }

  /// Takes the connection to another local address, whose socket is open; a client's order.
  ///
  /// Keep the old socket open for three probe time-outs (``probeTimeout``) more: packets are on their way to it. A new
  /// order replaces one that is queued or under way.
  package func migrate(to path: NetworkPath, _ kind: MigrationKind, at now: Timestamp) -> MigrationOutcome {
    let now = clamp(now)
    guard !isClosed, !isServer, let current = currentPath else { return .closed }
    guard migration.take(path.local, from: current.local) else { return .addressUsed }
    return startMigration(to: path, kind, at: now)
  }

  /// The host that the library is to be told of for a datagram's path.
  func host(of path: NetworkPath) -> ClientAddresses.Host {
    // Where the library lets a client change its port alone, another host's datagrams would be dropped.
    guard isServer, !configuration.forbidsMigration else { return 0 }
    if let host = clientAddresses.lastHost(of: path.remote) { return host }
    guard let current = ngtcp2_conn_get_path(quic)?.pointee else { return 0 }
    var info = ngtcp2_conn_info()
    CQUIC_conn_get_conn_info(quic, &info)
    return clientAddresses.host(
      of: path.remote, current: NetworkPath(current).remote, currentHost: NetworkPath.host(in: current),
      muchIsInFlight: info.bytes_in_flight >= info.cwnd / 4)
  }

  /// The probe time-out of the current path (RFC 9002 § 6.2.1), without back-off.
  package var probeTimeout: Duration {
    min(.nanoseconds(Int64(clamping: ngtcp2_conn_get_pto(quic))), Liveness.longestProbeTimeout)
  }

  /// Starts the migration that waited for what may have come now.
  func startQueuedMigration(at now: Timestamp) {
    guard !isClosed, let queued = migration.takeQueued() else { return }
    _ = startMigration(to: queued.path, queued.kind, at: now)
  }

  /// Withdraws the order that waits for what has not come yet; false where there is none.
  package func cancelQueuedMigration() -> Bool {
    migration.takeQueued() != nil
  }

  private func startMigration(to path: NetworkPath, _ kind: MigrationKind, at now: Timestamp) -> MigrationOutcome {
    _ = migration.takeQueued()
    guard handshake == nil || !forbidsMigration else { return .forbidden }
    let code = observing {
      path.withCPath {
        switch kind {
        case .probed: ngtcp2_conn_initiate_migration(quic, $0, now.nanoseconds)
        case .immediate: ngtcp2_conn_initiate_immediate_migration(quic, $0, now.nanoseconds)
        }
      }
    }
    switch code {
    case 0:
      qlog?.migrationChanged(kind == .probed ? .probing : .started, path)
      liveness.restart(at: now)
      // The server goes over with the first packet that does more than try the path (RFC 9000 § 9.3).
      liveness.requestPing(kind == .immediate)
      return .started
    case NGTCP2_ERR_INVALID_STATE, NGTCP2_ERR_CONN_ID_BLOCKED:
      migration.queue(PathMigration.Order(path: path, kind: kind))
      return .queued
    case NGTCP2_ERR_INVALID_ARGUMENT: return .addressUsed
    default:
      didFail(code, at: now)
      return .closed
    }
  }

  private var forbidsMigration: Bool {
    let parameters = ngtcp2_conn_get_remote_transport_params(quic)?.pointee
    return parameters?.disable_active_migration ?? 0 != 0 || ngtcp2_conn_get_dcid(quic)?.pointee.datalen ?? 0 == 0
  }

  /// Whether the library may not be asked for packets now, see ``ClientAddresses``.
  func isAmplificationLimitReached(at now: Timestamp) -> Bool {
    clientAddresses.isLimitReached(sendingTo: currentPath?.remote, longestTrial: longestTrial, at: now)
  }

  /// For how long the library may try a path after its last challenge: three probe time-outs in all, of which the last
  /// challenge's own, doubled with each round, may be longer.
  private var longestTrial: Duration {
    max(probeTimeout, configuration.initialRoundTrip * 3 + configuration.maximumAckDelay) * 4
  }

  /// The library's verdict on a path.
  func didTry(
    _ path: NetworkPath, from old: NetworkPath?, _ result: ngtcp2_path_validation_result, wantsToken: Bool
  ) {
    switch result {
    case NGTCP2_PATH_VALIDATION_RESULT_SUCCESS:
      if isServer, let old, old.remote != path.remote {
        let current = ngtcp2_conn_get_path(quic).map { NetworkPath.host(in: $0.pointee) } ?? 0
        clientAddresses.didLeave(old.remote, for: current)
      }
      if isServer { clientAddresses.didProve(path.remote) }
      qlog?.migrationChanged(.complete, path)
      events.append(.pathValidated(path))
      // A client that only listens would reach the server no sooner than its next acknowledgement is due.
      liveness.requestPing(!isServer)
      // The library may only have been told of another host.
      if wantsToken, old?.remote.ip != path.remote.ip { offerToken(for: path) }
    case NGTCP2_PATH_VALIDATION_RESULT_FAILURE:
      qlog?.migrationChanged(.abandoned, path)
      events.append(.pathValidationFailed(path))
      // There is no other to go back to.
      if path == currentPath { doubtPath() }
    default: qlog?.migrationChanged(.abandoned, path)
    }
  }

  /// Writes the PING that is due, if nothing else is left to write: the library's own call for one is its keep-alive,
  /// which is made to be due.
  func fillPing(_ batch: inout DatagramBatch, at now: Timestamp) {
    guard !isClosed, liveness.takePing() else { return }
    ngtcp2_conn_set_keep_alive_timeout(quic, 1)
    // It counts from the last packet, which may be of this very moment.
    fillActive(&batch, at: clamp(now + .nanoseconds(1)))
    applyKeepAlive()
  }
}
