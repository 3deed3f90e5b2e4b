import EventLedger
import Logging
import Synchronization

/// Hosts codex for workers of the adapter `local` in this runtime. One runtime hosts a worker at a time: the one that has
/// its lane's lease. Others that were asked for it stand by.
final class LocalLane: HostedLane {
  /// Makes the codex of a worker.
  typealias Maker = @Sendable (WorkerID) throws -> (codex: any HostedCodex, policy: HostedPolicy)

  private let parts: LaneParts
  private let limit: Int
  private let make: Maker
  private let hosting = Mutex<[WorkerID: Task<Void, Never>]>([:])

  init(_ parts: LaneParts, limit: Int, make: @escaping Maker) {
    self.parts = parts
    self.limit = limit
    self.make = make
  }

  func checkOffered() throws(WorkerError) {}

  func host(_ id: WorkerID) {
    hosting.withLock { hosting in
      guard hosting[id] == nil else { return }
      let isFull = hosting.count >= limit
      hosting[id] = Task { [weak self] in
        await self?.run(id, isFull: isFull)
        self?.hosting.withLock { _ = $0.removeValue(forKey: id) }
      }
    }
  }

  /// Ends all that are hosted here; their workers stay as they are, and are hosted again when they are reattached.
  func end() async {
    let tasks = hosting.withLock { Array($0.values) }
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
  }

  private func run(_ id: WorkerID, isFull: Bool) async {
    let device = LocalDevice(id, parts)
    do {
      guard !isFull else {
        try await device.fail("this runtime hosts \(limit) workers, which is the most; stop one")
        return
      }
      let (codex, policy) = try make(id)
      try await device.run(codex, policy)
    } catch is CancellationError {
      // The runtime ends, or the worker was stopped.
    } catch {
      parts.logger.error("a hosted worker fails: \(error)", metadata: ["worker_id": "\(id.text)"])
      do { try await device.fail("\(error)") } catch {
        parts.logger.error("its failure could not be told: \(error)", metadata: ["worker_id": "\(id.text)"])
      }
    }
  }
}

/// The services that a lane uses.
struct LaneParts: Sendable {
  let storage: Storage
  let directory: WorkerDirectory
  /// This runtime's own name.
  let holder: String
  let clock: any Clock<Duration>
  let now: @Sendable () -> WallTime
  let logger: Logger
}
