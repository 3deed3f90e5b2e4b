import HTTP3Engine
import Logging

/// The paths of a client's connection: moves it to another of this machine's addresses, or to the address that the server
/// prefers, and keeps the sockets of paths that it left as long as packets may come there.
///
/// ``ClientMigration`` decides; this has the engine and the sockets follow.
final class ClientPaths {
  private let engine: HTTP3Connection
  private let sockets: ClientSockets
  private let loop: EventLoop
  private let remote: NetworkAddress
  private let logger: Logger
  private var migration = ClientMigration()
  private var attachment: LoopAttachment?

  /// - Parameter remote: the server's address when the connection began.
  init(
    _ engine: HTTP3Connection, _ sockets: ClientSockets, to remote: NetworkAddress, on loop: EventLoop, logger: Logger
  ) {
    self.engine = engine
    self.sockets = sockets
    self.remote = remote
    self.loop = loop
    self.logger = logger
  }

  /// Waits by the connection's timers from now on.
  func attach(_ attachment: LoopAttachment) { self.attachment = attachment }

  /// Migrations that were completed.
  var migrationCount: Int { migration.count }

  // MARK: Migration

  /// Follows the kernel to the address that leads to the server now. Answers whether the engine has something to send.
  func followNetwork() -> Bool {
    // Without any way to the server, the next change may bring one.
    guard let current = engine.currentPath, let (socket, new) = sockets.route(to: current.remote) else { return false }
    switch migration.plan(for: new, from: current, hasAddress: sockets.hasAddress(current.local)) {
    case .wait: return false
    case .stay:
      guard engine.cancelQueuedMigration() else { return false }
      migration.withdraw()
      keepOldSockets()
      return false
    case .migrate(let kind): return migrate(to: new, by: socket, kind, from: current)
    }
  }

  private func migrate(
    to new: NetworkPath, by socket: UDPSocket, _ kind: MigrationKind, from current: NetworkPath
  ) -> Bool {
    let others = sockets.addresses
    guard sockets.add(socket) else { return false }
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
    return true
  }

  /// Goes to the address that the server prefers (RFC 9000 § 9.6).
  func usePreferredAddress() {
    guard let address = engine.preferredAddress, let current = engine.currentPath, address != current.remote,
      let (socket, path) = sockets.route(to: address), sockets.add(socket)
    else { return }
    migration.begin(path, from: current)
    engine.usePreferredAddress(path)
    logger.debug("going to the preferred address", metadata: ["from": "\(remote)", "to": "\(address)"])
  }

  // MARK: Verdicts

  func wasValidated(_ path: NetworkPath) {
    guard let old = migration.validated(path, current: engine.currentPath) else { return }
    logger.debug("migrated", metadata: ["from": "\(old.local)", "to": "\(path.local)", "remote": "\(path.remote)"])
    keepOldSockets()
  }

  func validationDidFail(_ path: NetworkPath) {
    logger.debug("the path does not answer", metadata: ["local": "\(path.local)", "remote": "\(path.remote)"])
    if migration.failed(path) { closeOldSockets() }
  }

  // MARK: Old sockets

  /// Packets may come to an old path for three probe time-outs.
  private func keepOldSockets() {
    attachment?.setOldSockets(loop.now + max(engine.probeTimeout * 3, .seconds(1)))
  }

  func closeOldSockets() {
    guard let current = engine.currentPath else { return }
    sockets.keepOnly(migration.addresses(with: current))
  }
}
