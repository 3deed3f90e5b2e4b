import Foundation
import HTTP3Engine
import Logging

/// What a connection's shell keeps for its migrations.
struct ClientMigration {
  /// The path that is tried or waits to be.
  var candidate: NetworkPath?
  /// The path in use when the last migration began.
  var old: NetworkPath?
  var count = 0
  var observer: UInt64?
  /// Closes the sockets of paths that were left.
  var timer: LoopTimer?
}

// The kernel knows which of this machine's addresses leads to the server: when it is another one than the connection's,
// the connection goes there (RFC 9000 § 9). Every attempt has a socket and so a port of its own, which also keeps clear
// of servers that lose a client that comes back to an address and port (ngtcp2#2257).
extension HTTP3ClientConnection {
  func watchNetwork() {
    migration.timer = LoopTimer(loop) { [weak self] in self?.onItsLoop { $0.closeOldSockets() } }
    migration.observer = loop.networkMonitor.add { [weak self] in self?.onItsLoop { $0.networkChanged() } }
  }

  func stopWatchingNetwork() {
    if let observer = migration.observer { loop.networkMonitor.remove(observer) }
    migration.observer = nil
    migration.timer?.cancel()
  }

  /// A send error that tells more of this machine's network than of the server.
  func hintsAtChange(_ error: SystemError) -> Bool {
    switch error.number {
    // EINVAL is Linux's answer where the source address is not this machine's any more.
    case ENETUNREACH, ENETDOWN, EHOSTUNREACH, EADDRNOTAVAIL, ENODEV, EINVAL: true
    default: false
    }
  }

  /// Whether the path in use takes nothing now; a path that was left, or is only tried, holds nobody up.
  var isHeldUp: Bool {
    sockets.isBlocked && engine.currentPath.map { sockets.isBlocked(at: $0.local) } ?? false
  }

  private func networkChanged() {
    guard failure == nil, info != nil, let current = engine.currentPath else { return }
    // Without any way to the server, the next change may bring one.
    guard let socket = try? network.connect(current.remote), let new = socket.path else { return }
    guard new.local.ip != current.local.ip else { return stayOnPath() }
    let kind: MigrationKind = network.contains(current.local) ? .probed : .immediate
    // A path that is being tried need not be tried again; without the old one there is no time for trying.
    guard kind == .immediate || new.local.ip != migration.candidate?.local.ip else { return }
    let others = sockets.addresses
    guard (try? sockets.add(socket)) != nil else { return sockets.keepOnly(others) }
    // An interface that is gone may never take it.
    sockets.dropPending()
    let outcome = engine.migrate(to: new, kind, at: loop.now)
    switch outcome {
    case .started, .queued:
      migration.candidate = new
      migration.old = current
      logger.debug(
        "migrating", metadata: ["from": "\(current.local)", "to": "\(new.local)", "probed": "\(kind == .probed)"])
      scheduleClosing()
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

  /// The way to the server is the one in use, again: an order to leave it that could not be followed yet is withdrawn.
  private func stayOnPath() {
    guard engine.cancelQueuedMigration() else { return }
    migration.candidate = nil
    scheduleClosing()
  }

  /// The server asks to be met at another address (RFC 9000 § 9.6).
  func usePreferredAddress() {
    guard let address = engine.preferredAddress, let current = engine.currentPath, address != current.remote,
      let socket = try? network.connect(address), let path = socket.path, (try? sockets.add(socket)) != nil
    else { return }
    migration.candidate = path
    migration.old = current
    engine.usePreferredAddress(path)
    logger.debug("going to the preferred address", metadata: ["from": "\(remote)", "to": "\(address)"])
  }

  func pathWasValidated(_ path: NetworkPath) {
    guard path == engine.currentPath, path == migration.candidate else { return }
    migration.candidate = nil
    migration.count += 1
    let old = migration.old.map { "\($0.local)" } ?? ""
    logger.debug("migrated", metadata: ["from": "\(old)", "to": "\(path.local)", "remote": "\(path.remote)"])
    scheduleClosing()
  }

  func pathValidationDidFail(_ path: NetworkPath) {
    logger.debug("the path does not answer", metadata: ["local": "\(path.local)", "remote": "\(path.remote)"])
    guard path == migration.candidate else { return }
    migration.candidate = nil
    closeOldSockets()
  }

  /// Packets may come to an old path for three probe time-outs.
  private func scheduleClosing() {
    migration.timer?.set(loop.now + max(engine.probeTimeout * 3, .seconds(1)))
  }

  private func closeOldSockets() {
    guard failure == nil, let current = engine.currentPath else { return }
    var kept: Set<NetworkAddress> = [current.local]
    if let candidate = migration.candidate { kept.insert(candidate.local) }
    sockets.keepOnly(kept)
  }
}
