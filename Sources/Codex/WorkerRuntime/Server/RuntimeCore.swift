package import EventLedger
import Hummingbird
package import JSONService
package import Logging
import ResolveKitCore

/// A runtime without sockets: the routes, and what continues behind them.
package final class RuntimeCore: Sendable {
  package let accounts: Accounts
  let services: RuntimeServices
  private let directory: WorkerDirectory
  private let projector: Projector
  private let challenges: SharedStream<ChallengeBook>
  private let settings: RuntimeSettings
  private let lane: LocalLane?

  /// Most bytes that all event streams together hold for readers that are slow.
  private static let streamBytes = 256 << 20

  /// - Parameters:
  ///   - ledger: where workers, events and accounts are.
  ///   - now: the time of day, as the ledger has it.
  package convenience init(
    _ ledger: any EventLedger, settings: RuntimeSettings = RuntimeSettings(), random: RandomBytes = .system,
    clock: any Clock<Duration> = ContinuousClock(), now: @escaping @Sendable () -> WallTime = { .current },
    logger: Logger
  ) {
    let hosting = settings.hosted.map { hosted in
      LaneHosting(limit: hosted.limit) { id in
        let folder = HostedFolder(id, in: hosted.folder)
        return (try LocalCodex(hosted, folder: folder, logger: logger), folder.workspace)
      }
    }
    self.init(ledger, settings: settings, hosting: hosting, random: random, clock: clock, now: now, logger: logger)
  }

  /// - Parameter hosting: makes the codex of hosted workers; nil for a runtime that hosts none.
  init(
    _ ledger: any EventLedger, settings: RuntimeSettings, hosting: LaneHosting?, random: RandomBytes,
    clock: any Clock<Duration>, now: @escaping @Sendable () -> WallTime, logger: Logger
  ) {
    let storage = Storage(ledger, clock: clock)
    let directory = WorkerDirectory(storage)
    let accounts = Accounts(storage, random: random)
    let challenges = SharedStream<ChallengeBook>(StreamNames.challenges, storage)
    let holder = "runtime " + Letters.text(random, count: 24)
    let lane = hosting.map { hosting in
      LocalLane(
        LaneParts(storage: storage, directory: directory, holder: holder, clock: clock, now: now, logger: logger),
        hosting)
    }
    let registry = WorkerRegistry(
      storage: storage, directory: directory, lane: lane ?? NoHostedLane(), random: random, now: now)
    let readModel = ReadModel(storage: storage)
    self.settings = settings
    self.lane = lane
    self.accounts = accounts
    self.directory = directory
    self.challenges = challenges
    projector = Projector(
      readModel, directory: directory, registry: registry, accounts: accounts,
      holder: holder, clock: clock, logger: logger)
    services = RuntimeServices(
      storage: storage, accounts: accounts,
      signIn: SignIn(
        storage: storage, challenges: challenges, accounts: accounts, mailer: settings.mailer, random: random, now: now),
      signInRate: SourceThrottle(limit: 20, now: now), registry: registry,
      events: EventDesk(directory: directory, now: now),
      requests: RequestDesk(
        storage: storage, directory: directory, timeout: settings.requestTimeout, clock: clock, now: now),
      throttle: UserThrottle(limit: settings.requestsPerMinute, storage: storage, now: now), readModel: readModel,
      seats: StreamSeats(limitPerClient: settings.streamsPerUser, limit: settings.streams),
      budget: StreamBudget(bytes: Self.streamBytes), dialect: settings.dialect,
      keepAlive: settings.keepAlive, clock: clock, now: now, logger: logger)
  }

  /// Answers the contract's requests.
  func makeResponder() -> RouterResponder<RuntimeContext> { RuntimeRoutes.router(services).buildResponder() }

  /// Projects all workers of all users again; returns how many.
  package func rebuildReadModel() async throws -> Int { try await projector.rebuild() }

  /// Does what is due from time to time, until the task is cancelled.
  func runHousekeeping() async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await self.projector.run() }
      group.addTask { await self.resumeHosted() }
      group.addTask { await self.repeating(every: .seconds(1)) { _ = try await self.accounts.book() } }
      group.addTask { await self.repeating(every: .seconds(5)) { try await self.tidy() } }
    }
  }

  /// Hosts the workers again that were hosted when their runtime ended. Those that another runtime hosts it stands by for.
  func resumeHosted() async {
    guard let lane else { return }
    while true {
      do {
        for user in try await accounts.book().allUsers {
          let filter = WorkerRegistry.Filter(limit: WorkerIndex.limit)
          for snapshot in try await services.registry.list(filter, for: user.id) {
            guard snapshot.record.adapter == WorkerRecord.local else { continue }
            switch snapshot.state.lifecycle.status {
            case .starting, .running, .stopping: lane.resume(snapshot.id)
            case nil, .stopped, .failed: break
            }
          }
        }
        return
      } catch {
        services.logger.warning("hosted workers are not taken up yet: \(error)")
      }
      do { try await services.clock.sleep(for: .seconds(5)) } catch { return }
    }
  }

  /// Ends all event streams and all waits.
  func endStreams() { services.storage.feed.close() }

  /// Ends the codex that runs beside the runtime.
  func endHosted() async { await lane?.end() }

  /// Ends requests whose runtime is gone, drops what is older than is kept, and frees its room.
  func tidy() async throws {
    let workers = directory.all
    // One query for all: of those that have not changed nothing is read.
    let extents = try await services.storage.ledger.extents(of: workers.map(\.eventStream))
    for worker in workers {
      // One that was asked for, but never made, has none.
      guard let extent = extents[worker.eventStream], extent.last > 0 else { continue }
      try await services.requests.expire(of: worker, end: extent.last)
      try await worker.prune(kept: settings.keptEvents, extent)
    }
    // In steps: appends wait for none long.
    for _ in 0..<100 where try await services.storage.ledger.sweep(limit: 500) == 500 {}
  }

  private func repeating(every interval: Duration, _ body: @Sendable () async throws -> Void) async {
    while true {
      do { try await services.clock.sleep(for: interval) } catch { return }
      do { try await body() } catch { services.logger.warning("housekeeping failed: \(error)") }
    }
  }
}
