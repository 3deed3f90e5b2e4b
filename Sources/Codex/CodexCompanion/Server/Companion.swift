import CodexAppServer
import EventLedger
import Foundation
import Hummingbird
import HummingbirdHTTP3
import JSONService
package import Logging
import ServiceLifecycle
package import StreamTransport
import Synchronization

/// Lets paired devices control the Codex of this machine, over HTTP/3, HTTP/2 and HTTP/1.1 on one port number.
package final class Companion: Service, Sendable {
  private struct Parts {
    let services: CompanionServices
    let codex: Task<Void, Never>
    let housekeeping: Task<Void, Never>
    let control: ControlServer
    let server: MultiProtocolServer<RouterResponder<CompanionContext>>
    let notifier: Notifier?
    let mirror: Task<Void, Never>?
  }

  private let configuration: CompanionConfiguration
  private let bell: @Sendable (String) -> Void
  private let logger: Logger
  private let parts = Mutex<Parts?>(nil)

  /// - Parameter bell: Notified of what waits for the person at the workstation.
  package init(
    _ configuration: CompanionConfiguration, logger: Logger, bell: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.configuration = configuration
    self.logger = logger
    self.bell = bell
  }

  /// Opens what it keeps, starts codex or joins it, and listens; returns the port once requests are taken.
  ///
  /// Throws ``StoreError``, ``ControlError``, `LedgerError`, ``GitError`` or `MultiProtocolError`.
  package func start() async throws -> Int {
    let folder = configuration.folder
    try folder.make()
    let audit = AuditLog(path: folder.auditLog)
    let devices = try DeviceRegistry(path: folder.devices)
    let approvals = try Approvals(path: folder.approvals, audit: audit)
    let ledger = try SQLiteEventLedger.open(path: folder.events)
    let notifier = configuration.notify.map { Notifier($0, path: configuration.notifyPath, logger: logger) }
    let startedAt = TimeOfDay.now()
    let codex = CodexService(configuration.codex, clock: configuration.clock, logger: logger)
    let now: @Sendable () -> WallTime = { .current }
    let catalog = try ProjectCatalog(file: folder.projects)
    for project in configuration.projects { await catalog.note(folder: project, updatedAt: 0) }
    let directory = ChatDirectory(link: codex, catalog: catalog)
    let hub = ChatHub(
      Chat.Services(
        link: codex, ledger: ledger, approvals: approvals, tools: ToolDefinitions(link: codex),
        alert: { [bell] request in
          notifier?.notify(request)
          bell(request.notice)
        }, clock: configuration.clock, now: now, logger: logger),
      isHidden: { await directory.isHidden($0) })
    let pairings = Pairings(
      devices: devices, audit: audit,
      ask: { [bell] in bell("'\($0.deviceName)' at \($0.address) asks to be paired; answer with companion confirm.") })
    let place = ServerPlace(host: configuration.hosts[0], fingerprint: configuration.fingerprint)
    let feed = LedgerFeed(ledger, clock: configuration.clock)
    let services = CompanionServices(
      access: AccessRules(hosts: configuration.hosts), devices: devices, pairings: pairings,
      revocation: DeviceRevocation(devices: devices, approvals: approvals, audit: audit), hub: hub,
      directory: directory,
      history: RolloutHistory(codexHome: configuration.codexHome), settings: TurnSettings(link: codex),
      bodies: BodyRoom(),
      ledger: ledger, feed: feed, git: try GitProgram(environment: configuration.codex.environment),
      transcriber: configuration.transcribe.map {
        Transcriber(program: $0, folder: folder.path, environment: configuration.codex.environment)
      }, place: place,
      streams: StreamRoom(
        seats: StreamSeats(limitPerClient: 16, limit: 512), budget: StreamBudget(bytes: 64 << 20)),
      closings: Revocations(),
      keepAlive: configuration.keepAlive, clock: configuration.clock, now: now, logger: logger)
    let control = ControlServer(
      path: folder.controlSocket, logger: logger,
      responder: HostControl(
        devices: devices, approvals: approvals, audit: audit, catalog: catalog,
        serving: HostControl.Serving(
          pairings, projects: ProjectDoor(directory: directory, hub: hub, closings: services.closings),
          status: { [address = configuration.address] in await services.status(at: address, since: startedAt, codex) },
          text: { place.text($0, for: $1) })))
    let lane = try await Self.lane(configuration, services, link: codex)
    try await control.start()
    var listener = MultiProtocolConfiguration(
      address: configuration.address, port: configuration.port, certificatePEM: configuration.certificatePEM,
      privateKeyPEM: configuration.privateKeyPEM, serverName: "agent-stream", drainTimeout: configuration.drainTimeout,
      http3: HTTP3ServerOptions(ticketSecretFile: folder.ticketSecret, qlogDirectory: configuration.qlogDirectory))
    listener.http3.qlogSampling = configuration.qlogSampling
    listener.sockets = configuration.sockets
    let server = MultiProtocolServer(
      responder: CompanionRoutes.router(services).buildResponder(), configuration: listener, logger: logger,
      webSocket: { await SocketStream(services: services).answer($0) })
    do {
      place.port = try await server.start()
    } catch {
      await control.shutdown()
      throw error
    }
    parts.withLock { [lane] in
      $0 = Parts(
        services: services, codex: Task { await codex.run { await hub.receive($0) } },
        housekeeping: Task { [clock = configuration.clock, logger] in
          await Self.runHousekeeping(services, clock, logger)
        },
        control: control, server: server, notifier: notifier, mirror: lane.map { lane in Task { await lane.run() } })
    }
    return place.port
  }

  /// Presents other certificates from the next handshake on; open connections stay.
  ///
  /// Throws `CancellationError` when nothing is served, and `MultiProtocolError` when a certificate and its key cannot be
  /// used; nothing changes then.
  package func use(_ identities: [ServerIdentity]) throws {
    guard let server = parts.withLock({ $0?.server }) else { throw CancellationError() }
    try server.use(identities)
  }

  /// Ends the streams gracefully, lets running requests end within the drain time, and stores what is left to store.
  /// codex runs on, unless it is fed by this process. Does nothing when not running.
  package func shutdown() async {
    guard let parts = parts.withLock({ $0.take() }) else { return }
    let services = parts.services
    await parts.server.shutdown { services.feed.close() }
    await parts.control.shutdown()
    parts.mirror?.cancel()
    await parts.mirror?.value
    parts.codex.cancel()
    parts.housekeeping.cancel()
    await services.hub.drain()
    do { try services.devices.saveLastUses() } catch { logger.warning("\(error)") }
    await parts.notifier?.close()
  }

  /// Serves until the service group shuts down.
  package func run() async throws {
    _ = try await start()
    try? await gracefulShutdown()
    await shutdown()
  }

  private static func lane(
    _ configuration: CompanionConfiguration, _ services: CompanionServices, link: any CodexLink
  ) async throws -> MirrorLane? {
    guard let mirror = configuration.mirror else { return nil }
    return try await MirrorLane(mirror, services, folder: configuration.folder, link: link)
  }

  private static func runHousekeeping(
    _ services: CompanionServices, _ clock: any Clock<Duration>, _ logger: Logger
  ) async {
    while true {
      do { try await clock.sleep(for: .seconds(300)) } catch { return }
      do {
        try services.devices.saveLastUses()
        // In steps: appends wait for none long.
        for _ in 0..<100 where try await services.ledger.sweep(limit: 500) == 500 {}
      } catch {
        logger.warning("housekeeping failed: \(error)")
      }
    }
  }
}
