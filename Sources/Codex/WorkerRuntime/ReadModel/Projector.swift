import EventLedger
import Logging
import Synchronization

/// Keeps the read model up to date: in one of the runtimes of a ledger, the one that has the projector's lease.
final class Projector: Sendable {
  private struct Dirt {
    var workers: Set<WorkerID> = []
    /// Whether changes may have gone unnoticed.
    var isEverything = true
  }

  /// Between two rounds. A worker is projected once in a round, however many events it had.
  private static let interval = Duration.seconds(1)
  private static let leaseDuration = Duration.seconds(10)
  private static let leaseName = "projector"

  private let model: ReadModel
  private let directory: WorkerDirectory
  private let registry: WorkerRegistry
  private let accounts: Accounts
  /// This runtime's own name.
  private let holder: String
  private let clock: any Clock<Duration>
  private let logger: Logger
  private let dirt = Mutex(Dirt())

  init(
    _ model: ReadModel, directory: WorkerDirectory, registry: WorkerRegistry, accounts: Accounts, holder: String,
    clock: any Clock<Duration>, logger: Logger
  ) {
    self.model = model
    self.directory = directory
    self.registry = registry
    self.accounts = accounts
    self.holder = holder
    self.clock = clock
    self.logger = logger
  }

  /// Projects until the task is cancelled.
  func run() async {
    let subscription = model.storage.ledger.news.subscribe { [weak self] in self?.take($0) }
    defer { withExtendedLifetime(subscription) {} }
    var lease: LedgerLease?
    while !Task.isCancelled {
      do {
        lease = try await takeLease(after: lease)
        if lease != nil { try await round() }
      } catch is CancellationError {
        break
      } catch {
        logger.warning("the read model is not up to date: \(error)")
        dirt.withLock { $0.isEverything = true }
        lease = nil
      }
      do { try await clock.sleep(for: Self.interval) } catch { break }
    }
    if let lease { try? await model.storage.ledger.release(lease) }
  }

  /// Projects all workers of all users again; returns how many.
  func rebuild() async throws -> Int {
    var count = 0
    for user in try await accounts.book().allUsers {
      for id in try await registry.ids(of: user.id) {
        guard let snapshot = try? await directory[id].snapshot(for: nil) else { continue }
        try await model.project(snapshot, anew: true)
        count += 1
      }
    }
    return count
  }

  private func take(_ change: LedgerChange) {
    switch change {
    case .appended(let stream, _):
      guard let id = StreamNames.worker(ofEvents: stream) else { return }
      dirt.withLock { _ = $0.workers.insert(id) }
    case .missed: dirt.withLock { $0.isEverything = true }
    case .trimmed, .deleted, .signalled: break
    }
  }

  /// The projector's lease; nil where another runtime has it.
  private func takeLease(after lease: LedgerLease?) async throws -> LedgerLease? {
    do {
      if let lease { return try await model.storage.ledger.renew(lease, for: Self.leaseDuration) }
      let lease = try await model.storage.ledger.lease(Self.leaseName, to: holder, for: Self.leaseDuration)
      dirt.withLock { $0.isEverything = true }
      return lease
    } catch let error as LedgerError {
      switch error.code {
      case .leased, .fenced: return nil
      case .unknownStream, .deletedStream, .keyReused, .trimmed, .cursorAhead, .invalid, .exhausted, .unavailable,
        .database:
        throw error
      }
    }
  }

  private func round() async throws {
    let dirty = dirt.withLock { dirt in
      defer { dirt = Dirt(isEverything: false) }
      return dirt
    }
    var workers = dirty.workers
    if dirty.isEverything {
      for user in try await accounts.book().allUsers { workers.formUnion(try await registry.ids(of: user.id)) }
    }
    for id in workers {
      try Task.checkCancellation()
      do { try await model.project(try await directory[id].snapshot(for: nil)) } catch is WorkerError {
        // A registration that is not complete yet.
      }
    }
  }
}
