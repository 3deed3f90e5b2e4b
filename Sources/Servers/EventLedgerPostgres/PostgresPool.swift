import Dispatch
import EventLedger
import Synchronization

/// A bounded number of connections, each used on a serial queue of its own: libpq waits there, and no task's thread does.
final class PostgresPool: Sendable {
  /// A session and the queue that it belongs to.
  private final class Worker: @unchecked Sendable {
    // Unchecked, because the session is used on the queue alone, which runs one closure at a time.
    private let queue: DispatchQueue
    private let session: PostgresSession

    init(_ session: PostgresSession, number: Int) {
      self.session = session
      queue = DispatchQueue(label: "ledger.postgres.\(number)")
    }

    func run(_ body: @escaping @Sendable (PostgresSession) -> Void) { queue.async { body(self.session) } }
  }

  private typealias Job = @Sendable (PostgresSession) -> Void

  private struct State {
    var free: [Worker]
    var waiting: [Job] = []
  }

  private let state: Mutex<State>
  private let workers: [Worker]
  private let limit: Int

  init(_ url: String, limits: PostgresLimits) {
    let workers = (1...limits.connections).map { Worker(PostgresSession(url, limits: limits), number: $0) }
    self.workers = workers
    limit = limits.waiting
    state = Mutex(State(free: workers))
  }

  /// Calls `body` with a connection, on its queue. What was begun is completed, whether or not the task is cancelled.
  func use<Value: Sendable>(
    _ body: @escaping @Sendable (PostgresConnection) throws -> Value
  ) async throws -> Value {
    try Task.checkCancellation()
    return try await withCheckedThrowingContinuation { continuation in
      do { try submit { session in continuation.resume(with: Result { try session.use(body) }) } } catch {
        continuation.resume(throwing: error)
      }
    }
  }

  /// Ends all connections once they are free; later uses throw.
  func close() {
    for worker in workers { worker.run { $0.close() } }
  }

  private func submit(_ job: @escaping Job) throws {
    let worker = try state.withLock { state throws(LedgerError) -> Worker? in
      if let worker = state.free.popLast() { return worker }
      guard state.waiting.count < limit else {
        throw LedgerError(
          .exhausted, "\(limit) statements wait for a connection to PostgreSQL, which is the most; try again later.")
      }
      state.waiting.append(job)
      return nil
    }
    if let worker { run(job, on: worker) }
  }

  private func run(_ job: @escaping Job, on worker: Worker) {
    worker.run { session in
      job(session)
      let next = self.state.withLock { state -> Job? in
        guard !state.waiting.isEmpty else {
          state.free.append(worker)
          return nil
        }
        return state.waiting.removeFirst()
      }
      if let next { self.run(next, on: worker) }
    }
  }
}
