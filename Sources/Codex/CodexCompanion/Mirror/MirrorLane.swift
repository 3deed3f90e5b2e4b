import CodexRemoteContract
import CodexWorkersClient
import EventLedger
import Logging
import ResolveKitCore

/// This machine's Codex as a worker of a runtime: registers it, mirrors the chats that may be mirrored, beats, and takes
/// requests.
final class MirrorLane: Sendable {
  private static let heartbeatInterval = Duration.seconds(30)
  /// Between two registrations where the runtime refuses.
  private static let registrationPause = Duration.seconds(30)

  private let mirror: MirrorConfiguration
  private let services: CompanionServices
  private let store: MirrorStore
  private let outbox: MirrorOutbox
  private let inbox: MirrorInbox
  private let gate: MirrorGate
  private let pulse: MirrorHeartbeat
  /// The subscription to new events, for as long as the lane lasts.
  private let news: LedgerNews.Subscription

  /// Throws ``StoreError`` or `LedgerError`.
  init(
    _ mirror: MirrorConfiguration, _ services: CompanionServices, folder: CompanionFolder, link: any CodexLink
  ) async throws {
    self.mirror = mirror
    self.services = services
    let history = try await services.ledger.identity()
    let store = try MirrorStore(
      path: folder.mirror, server: mirror.server, worker: mirror.worker, ledger: history, logger: services.logger)
    let policy = MirrorPolicyFile(path: folder.mirrorPolicy)
    let gate = MirrorGate()
    let clock = MirrorClock(now: services.now, logger: services.logger)
    let outbox = MirrorOutbox(
      MirrorOutbox.Services(
        mirror: mirror, store: store, policy: policy, directory: services.directory, ledger: services.ledger,
        gate: gate,
        clock: services.clock, now: services.now, logger: services.logger), history: history)
    let threads = MirrorThreads(
      link: link, hub: services.hub, directory: services.directory, settings: services.settings, policy: policy,
      account: mirror.account)
    self.store = store
    self.gate = gate
    pulse = MirrorHeartbeat(mirror: mirror, gate: gate, clock: clock, now: services.now, logger: services.logger)
    self.outbox = outbox
    inbox = MirrorInbox(
      MirrorInbox.Services(
        mirror: mirror, store: store, desk: LaneDesk(threads), gate: gate, clock: clock,
        timer: services.clock, now: services.now, logger: services.logger))
    news = services.ledger.news.subscribe { change in
      guard case .appended(let stream, _) = change, let chat = ChatLog.chat(of: stream) else { return }
      Task { await outbox.note(chat) }
    }
  }

  /// Runs until the task is cancelled, through every outage.
  func run() async {
    while !Task.isCancelled {
      do {
        let creation = try await register()
        let known = await store.book.inbound ?? creation.latestSequence
        await store.note { $0.inbound = known }
        await store.save()
        await gate.set(isRunning: true)
        // Before the first request is read: it gives the runtime's time.
        try await pulse.beat()
        try await withThrowingTaskGroup(of: Void.self) { group in
          group.addTask { try await self.beat() }
          group.addTask { try await self.outbox.run() }
          group.addTask { try await self.inbox.run(after: known) }
          group.addTask { await self.noteKnownChats() }
          try await group.waitForAll()
        }
      } catch is CancellationError {
        break
      } catch {
        services.logger.error("the mirror is begun anew: \(error)")
      }
      await store.save()
      do { try await services.clock.sleep(for: Self.registrationPause) } catch { break }
    }
    await store.save()
  }

  private func register() async throws -> WorkerCreation {
    var backoff = WorkerBackoff()
    var generator = SystemRandomNumberGenerator()
    while true {
      do {
        let creation = try await mirror.client.register(
          WorkerRegistration(workerID: mirror.worker, adapter: "desktop_bridge", metadata: ["program": "companion"]))
        services.logger.notice("mirrored as worker '\(mirror.worker)' at \(mirror.server)")
        return creation
      } catch let error as WorkersError where MirrorVerdict(error) == .again {
        if backoff.failures == 0 { services.logger.error("the worker is not registered yet: \(error)") }
        backoff.failed()
        try await services.clock.sleep(for: max(backoff.delay(using: &generator), error.retryAfter ?? .zero))
      }
    }
  }

  private func beat() async throws {
    while true {
      try await services.clock.sleep(for: Self.heartbeatInterval)
      try await pulse.beat()
    }
  }

  /// The events that were written before this process, and not mirrored by the one before.
  private func noteKnownChats() async {
    while !Task.isCancelled {
      do {
        for entry in try await services.directory.entries() { await outbox.note(entry.id) }
        return
      } catch {
        do { try await services.clock.sleep(for: .seconds(2)) } catch { return }
      }
    }
  }
}
