import HTTP3Engine
import Logging
import Synchronization

// Whether the path answers, and when the connection goes over to another of this machine's addresses.
extension HTTP3ClientConnection {
  /// Whether the path is silent though an answer is due.
  var isSuspect: Bool { isLive && engine.isPathSuspect }

  func setResponseExpected(_ isExpected: Bool) {
    guard isLive, streams.setCallerExpectation(isExpected) else { return }
    pass()
  }

  /// New requests go elsewhere until the path answers.
  func pathIsSuspect() {
    isUsable.store(false, ordering: .relaxed)
    logger.debug("path is silent", metadata: ["remote": "\(life.remote)"])
    // A connection without requests needs no replacement: the next request looks for another one.
    if !streams.isEmpty { watch(self, .suspect) }
  }

  func pathAnswers() {
    isUsable.store(life.takesRequests, ordering: .relaxed)
    logger.debug("path answers again", metadata: ["remote": "\(life.remote)"])
    waiters.pathAnswered()
    watch(self, .answers)
  }

  /// The server may have given the connection up meanwhile, and the network may be another: both are probed at once.
  func machineWasSuspended(for duration: Duration) {
    guard isLive, info != nil else { return }
    logger.debug("machine was suspended", metadata: ["seconds": "\(duration.components.seconds)"])
    engine.probePath(at: loop.now)
    pass()
  }

  /// Returns when a suspect path answers. Throws the connection's end, or `CancellationError`.
  func recovery() async throws {
    if let failure { throw failure }
    guard isSuspect else { return }
    let waiter = waiters.awaitRecovery()
    defer { waiters.remove(waiter) }
    try await waiter.value()
  }

  /// Returns when another connection serves better. Throws this one's end, or `CancellationError`.
  func departure() async throws -> ConnectionWaiters.Departure {
    if let failure { throw failure }
    if life.isLeaving { return .retirement }
    if isSuspect, configuration.replacesSilentConnections { return .silence }
    let waiter = waiters.awaitDeparture()
    defer { waiters.remove(waiter) }
    return try await waiter.value()
  }

  /// Ends this connection if its path is still silent, since `other` has taken its place.
  func leaveSilentPath(for other: String) {
    guard isSuspect else { return }
    close(.superseded(by: other))
  }

  // MARK: Migration

  func networkChanged() {
    // Without any way to the server, the next change may bring one.
    guard isLive, info != nil, let current = engine.currentPath, let (socket, new) = sockets.route(to: current.remote)
    else { return }
    switch migration.plan(for: new, from: current, hasAddress: sockets.hasAddress(current.local)) {
    case .wait: break
    case .stay:
      guard engine.cancelQueuedMigration() else { return }
      migration.withdraw()
      keepOldSockets()
    case .migrate(let kind): migrate(to: new, by: socket, kind, from: current)
    }
  }

  private func migrate(to new: NetworkPath, by socket: UDPSocket, _ kind: MigrationKind, from current: NetworkPath) {
    let others = sockets.addresses
    guard sockets.add(socket) else { return }
    // An interface that is gone may never take it.
    sockets.dropPending()
    let outcome = engine.migrate(to: new, kind, at: loop.now)
    switch outcome {
    case .started, .queued:
      migration.begin(new, from: current)
      logger.debug(
        "migrating", metadata: ["from": "\(current.local)", "to": "\(new.local)", "probed": "\(kind == .probed)"])
      keepOldSockets()
      // What it waits for would have to come over the path that is gone.
      if outcome == .queued, kind == .immediate { engine.doubtPath() }
    case .forbidden:
      logger.debug("not migrating: the server forbids it", metadata: ["to": "\(new.local)"])
      sockets.keepOnly(others)
      if kind == .immediate { engine.doubtPath() }
    case .addressUsed, .closed: sockets.keepOnly(others)
    }
    pass()
  }

  /// Goes to the address that the server prefers (RFC 9000 § 9.6).
  func usePreferredAddress() {
    guard let address = engine.preferredAddress, let current = engine.currentPath, address != current.remote,
      let (socket, path) = sockets.route(to: address), sockets.add(socket)
    else { return }
    migration.begin(path, from: current)
    engine.usePreferredAddress(path)
    logger.debug("going to the preferred address", metadata: ["from": "\(life.remote)", "to": "\(address)"])
  }

  func pathWasValidated(_ path: NetworkPath) {
    guard let old = migration.validated(path, current: engine.currentPath) else { return }
    logger.debug("migrated", metadata: ["from": "\(old.local)", "to": "\(path.local)", "remote": "\(path.remote)"])
    keepOldSockets()
  }

  func pathValidationDidFail(_ path: NetworkPath) {
    logger.debug("the path does not answer", metadata: ["local": "\(path.local)", "remote": "\(path.remote)"])
    if migration.failed(path) { closeOldSockets() }
  }

  /// Packets may come to an old path for three probe time-outs.
  private func keepOldSockets() {
    attachment?.setOldSockets(loop.now + max(engine.probeTimeout * 3, .seconds(1)))
  }

  func closeOldSockets() {
    guard isLive, let current = engine.currentPath else { return }
    sockets.keepOnly(migration.addresses(with: current))
  }
}
