import Dispatch
import EventLedger
import Synchronization

/// A bounded number of connections, each used on a serial queue of its own: libpq waits there, and no task's thread does.
///
/// A server may allow fewer connections than these: what finds none then waits for those that there are.
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

  /// The work of one caller: it is run or refused.
  private struct Job: Sendable {
    let number: Int
    let run: @Sendable (PostgresSession) -> Void
    let refuse: @Sendable (any Error) -> Void
  }

  private struct State {
    var roster: PostgresRoster
    var queue: PostgresQueue<Job>
    /// Whether somebody counts the time of those that wait.
    var isCounting = false
  }

  /// The steps in which the time of those that wait is counted.
  private static let steps = 15

  private let state: Mutex<State>
  private let workers: [Worker]
  private let limits: PostgresLimits
  private let clock: any Clock<Duration>

  init(_ url: String, limits: PostgresLimits, clock: any Clock<Duration>) {
    let workers = (1...limits.connections).map { Worker(PostgresSession(url, limits: limits), number: $0) }
    self.workers = workers
    self.limits = limits
    self.clock = clock
    state = Mutex(
      State(
        roster: PostgresRoster(workers: workers.count),
        queue: PostgresQueue(limit: limits.waiting, patience: Self.steps)))
  }

  /// Calls `body` with a connection, on its queue. What was begun is completed, whether or not the task is cancelled;
  /// what waits for a connection then is taken back.
  func use<Value: Sendable>(
    _ body: @escaping @Sendable (PostgresConnection) throws -> Value
  ) async throws -> Value {
    try Task.checkCancellation()
    let number = state.withLock { $0.queue.nextNumber() }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let job = Job(
          number: number,
          run: { session in continuation.resume(with: Result { try session.use(body) }) },
          refuse: { error in continuation.resume(throwing: error) })
        do { try submit(job) } catch { continuation.resume(throwing: error) }
      }
    } onCancel: {
      state.withLock { $0.queue.remove(number) }?.refuse(CancellationError())
    }
  }

  /// Ends all connections once they are free; later uses throw.
  func close() {
    for worker in workers { worker.run { $0.close() } }
  }

  private func submit(_ job: Job) throws {
    let (worker, mustCount) = try state.withLock { state -> (Int?, Bool) in
      if let worker = state.roster.take(at: .now) { return (worker, false) }
      // The handler has run, or will after this: it takes the same lock.
      try Task.checkCancellation()
      guard state.queue.add(job, as: job.number) else {
        throw LedgerError(
          .exhausted,
          "\(limits.waiting) statements wait for a connection to PostgreSQL, which is the most; try again later.")
      }
      defer { state.isCounting = true }
      return (nil, !state.isCounting)
    }
    if let worker { run(job, on: worker) }
    if mustCount { count() }
  }

  private func run(_ job: Job, on worker: Int) {
    workers[worker].run { session in
      do {
        try session.connect()
        job.run(session)
      } catch { self.fail(job, error) }
      let link = session.link
      let next = self.state.withLock { state -> Job? in
        // Others have connections, or find out that there is none.
        let isLeft = link != .connected && state.roster.hasOthersAtWork
        let next = isLeft ? nil : state.queue.removeFirst()
        if next == nil { state.roster.putBack(worker, link) }
        return next
      }
      if let next { self.run(next, on: worker) }
    }
  }

  /// No connection could be made for a job: where others are at work, it waits for one of theirs.
  private func fail(_ job: Job, _ error: any Error) {
    let (isKept, mustCount) = state.withLock { state -> (Bool, Bool) in
      guard state.roster.hasOthersAtWork, state.queue.add(job, as: job.number) else { return (false, false) }
      defer { state.isCounting = true }
      return (true, !state.isCounting)
    }
    if !isKept { job.refuse(error) }
    if mustCount { count() }
  }

  /// Counts the time of those that wait, as long as there are any.
  private func count() {
    let step = limits.waitTimeout / Self.steps
    Task { [clock, weak self] in
      repeat { try? await clock.sleep(for: step) } while self?.tick() == true
    }
  }

  /// Gives up what has waited too long; returns false where nothing waits any more.
  private func tick() -> Bool {
    let (jobs, isCounting) = state.withLock { state in
      let jobs = state.queue.tick()
      state.isCounting = !state.queue.isEmpty
      return (jobs, state.isCounting)
    }
    for job in jobs {
      job.refuse(
        LedgerError(
          .unavailable(mayHaveHappened: false),
          "No connection to PostgreSQL came free in \(limits.waitTimeout): all \(limits.connections) are in use. "
            + "Is the server overloaded, or does it hang?"))
    }
    return isCounting
  }
}
