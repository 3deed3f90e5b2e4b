import EventLedger
import Synchronization

/// The workers that this process has to do with. More than the limit are forgotten, the longest unused first: all of them
/// is in the ledger.
final class WorkerDirectory: Sendable {
  private struct State {
    var workers: [WorkerID: Worker] = [:]
    var uses: [WorkerID: Int] = [:]
    var count = 0
  }

  private let limit: Int
  private let storage: Storage
  private let state = Mutex(State())

  init(_ storage: Storage, limit: Int = 4_096) {
    self.storage = storage
    self.limit = limit
  }

  subscript(id: WorkerID) -> Worker {
    state.withLock { state in
      state.count += 1
      state.uses[id] = state.count
      if let worker = state.workers[id] { return worker }
      let worker = Worker(id, storage)
      state.workers[id] = worker
      if state.workers.count > limit { Self.forget(&state, half: limit / 2) }
      return worker
    }
  }

  /// All that are remembered.
  var all: [Worker] { state.withLock { Array($0.workers.values) } }

  /// Forgets many at once, so that it is seldom done.
  private static func forget(_ state: inout State, half: Int) {
    for (id, _) in state.uses.sorted(by: { $0.value < $1.value }).prefix(state.workers.count - half) {
      state.workers[id] = nil
      state.uses[id] = nil
    }
  }
}
