package import EventLedger
import Foundation
package import Logging
import Synchronization

/// Runs the turns of this process, and takes up those that another left running.
package final class TurnEngine: Sendable {
  private struct Running {
    let shell: TurnShell
    var task: Task<Void, Never>?
    /// It waits for a call that a person has to approve.
    var isHeld = false
  }

  private struct State {
    var running: [String: Running] = [:]
    var isStopping = false
    /// The tasks that wait until every turn is held.
    var watchers: [CheckedContinuation<Void, Never>] = []
    var isHeld: Bool { running.values.allSatisfy(\.isHeld) }
    var subscription: LedgerNews.Subscription?
    var rounds: Task<Void, Never>?

    mutating func takeWatchers() -> [CheckedContinuation<Void, Never>] {
      guard isHeld else { return [] }
      defer { watchers = [] }
      return watchers
    }
  }

  private let state = Mutex(State())
  private let services: TurnServices

  /// - Parameter offersEscalation: whether the model may hand a session over to a person.
  package init(
    model: any ModelAdapter, storage: BackendStorage, log: SessionLog, settings: BackendSettings,
    faults: BackendFaults, offersEscalation: Bool, clock: any Clock<Duration>,
    now: @escaping @Sendable () -> WallTime, logger: Logger
  ) {
    services = TurnServices(
      model: model, sessions: SessionStore(storage.rows), turns: TurnStore(storage.rows),
      functions: FunctionStore(storage.rows), calls: CallStore(storage.rows), log: log,
      leases: TurnLeases(storage.ledger, name: storage.processName, duration: settings.turnLease),
      rules: TurnRules(
        limits: settings.turns, streamsText: settings.streamsText, asksForFeedback: settings.asksForFeedback,
        explainsModelErrors: settings.explainsModelErrors, offersEscalation: offersEscalation),
      faults: faults, now: now, clock: clock, logger: logger)
    let subscription = storage.ledger.news.subscribe { [weak self] change in self?.hear(change) }
    state.withLock { $0.subscription = subscription }
  }

  package var leases: TurnLeases { services.leases }

  private func hear(_ change: LedgerChange) {
    switch change {
    case .signalled(let topic): state.withLock { $0.running[topic]?.shell }?.signal()
    case .missed: for running in state.withLock({ Array($0.running.values) }) { running.shell.signal() }
    case .appended, .trimmed, .deleted: break
    }
  }

  /// Takes up what former processes left running: turns that wait for tools wait on, all others are ended. Where other
  /// processes have turns too, it is looked for again and again.
  package func recover() async throws {
    guard services.leases.isShared else {
      for turn in try await services.turns.running() { launch(turn, isNew: false) }
      return
    }
    let interval = max(services.leases.duration / TakeoverWatch.roundsPerLease, .milliseconds(50))
    let rounds = Task { [weak self, clock = services.clock] in
      var watch = TakeoverWatch()
      while !Task.isCancelled {
        await self?.takeRound(&watch)
        do { try await clock.sleep(for: interval) } catch { return }
      }
    }
    state.withLock { $0.rounds = rounds }
  }

  /// Renews the leases of this process's turns, looks for what was changed without its hearing of it, and takes up turns
  /// whose processes are gone.
  private func takeRound(_ watch: inout TakeoverWatch) async {
    let start = ContinuousClock.now
    await withTaskGroup { group in
      for shell in state.withLock({ $0.running.values.map(\.shell) }) { group.addTask { await self.renew(shell) } }
    }
    do {
      let abandoned = try await services.leases.abandonedSessions()
      let unclaimed = try await services.turns.unclaimed()
      // A database that was stopped answers late, and others as late.
      guard ContinuousClock.now - start < services.leases.duration else { return watch.failed() }
      for session in watch.found(abandoned: abandoned, unclaimed: unclaimed) {
        do { try await takeUp(session) } catch {
          services.logger.warning("the turn of session \(session) cannot be taken up, and is later: \(error)")
        }
      }
    } catch {
      watch.failed()
      services.logger.warning("turns that others left cannot be looked for, and are later: \(error)")
    }
  }

  private func renew(_ shell: TurnShell) async {
    guard let lease = shell.lease else { return }
    do {
      try await services.leases.renew(lease)
      shell.signal()
    } catch let error as LedgerError where error.code == .fenced {
      shell.loseLease()
    } catch { services.logger.warning("the lease of turn \(shell.turn.id) cannot be renewed, and is later: \(error)") }
  }

  private func takeUp(_ sessionID: String) async throws {
    if let turn = try await services.turns.running(in: sessionID) { return launch(turn, isNew: false) }
    guard let lease = try await services.leases.visit(sessionID, as: UUID().uuidString.lowercased()) else { return }
    try await services.giveUp(lease, of: sessionID)
  }

  /// Begins a turn; it runs on when this returns.
  package func begin(_ session: StoredSession, text: String, requestID: String) async throws -> TurnStore.Beginning {
    let turnID = UUID().uuidString.lowercased()
    var beginning = try await store(turnID, session.id, text, requestID)
    if beginning == .busy, try await waitForEnding(of: session.id) {
      beginning = try await store(turnID, session.id, text, requestID)
    }
    switch beginning {
    case .began:
      launch(
        TurnStore.Record(id: turnID, sessionID: session.id, requestID: requestID, status: .running, fence: 0),
        isNew: true)
    case .repeated(let known): try await launchUnclaimed(known)
    case .busy, .full, .inactive: break
    }
    return beginning
  }

  /// Runs a turn that nobody has claimed: the database had stored its beginning, and the process that asked for it did not
  /// learn of that. Its sender has asked again.
  private func launchUnclaimed(_ turnID: String) async throws {
    guard let turn = try await services.turns.turn(turnID), turn.status == .running, turn.fence == 0 else { return }
    launch(turn, isNew: true)
  }

  private func store(
    _ turnID: String, _ sessionID: String, _ text: String, _ requestID: String
  ) async throws -> TurnStore.Beginning {
    // Begun is begun: one who leaves just now must not leave a turn that nobody runs.
    try await Task { [services] in
      try await services.turns.begin(
        turnID, sessionID: sessionID, requestID: requestID, text: text, now: services.now(),
        limit: services.rules.limits.atOnce)
    }.value
  }

  /// A turn's terminal event is seen by clients a moment before its lock is given up: who answers it at once must not
  /// get a conflict. Returns false where the running turn has not written its last event.
  private func waitForEnding(of sessionID: String) async throws -> Bool {
    guard let turn = try await services.turns.running(in: sessionID) else { return true }
    guard let base = turn.base,
      let last = try await services.log.lastEvent(ofTurn: turn.id, in: sessionID, after: base), last.isTerminal
    else { return false }
    try await waitForEnd(of: turn.id)
    return true
  }

  /// Waits for a turn of this process to end, and a while for one of another's.
  private func waitForEnd(of turnID: String) async throws {
    if let task = state.withLock({ $0.running[turnID]?.task }) { return await task.value }
    let limit = ContinuousClock.now + min(services.leases.duration * 2, .seconds(30))
    var pause = GrowingPause()
    while try await services.turns.turn(turnID)?.status == .running, ContinuousClock.now < limit {
      try await Task.sleep(for: pause.next())
    }
  }

  /// Takes a tool's result. When this returns, the result outlives the process.
  func deliver(_ outcome: CallOutcome, for key: CallKey, idempotencyKey: String) async throws -> CallStore.Delivery {
    try await services.calls.settle(key, as: outcome, idempotencyKey: idempotencyKey)
  }

  /// Stops a running turn; false where none with this id runs.
  package func cancel(_ turnID: String) async throws -> Bool {
    try await services.turns.interrupt(turnID)
  }

  /// Hands the session over to a person, which ends its running turn; false where none will report it. Returns when it
  /// has ended.
  func escalate(_ sessionID: String, reason: String) async throws -> Bool {
    guard let turn = try await services.sessions.escalate(sessionID, reason: reason, now: services.now()) else {
      return false
    }
    try await waitForEnd(of: turn.turnID)
    return turn.isTold
  }

  /// Stops all turns silently: the process that has the database next, or has it too, takes up those that wait for tools,
  /// and reports the others as interrupted. Returns when all have stopped.
  package func stop() async {
    let (running, rounds) = state.withLock { state in
      state.isStopping = true
      return (Array(state.running.values), state.rounds)
    }
    rounds?.cancel()
    await rounds?.value
    for turn in running { turn.shell.stop() }
    for turn in running { await turn.task?.value }
  }

  /// Returns when no turn is running.
  package func waitUntilIdle() async {
    while let task = state.withLock({ $0.running.values.first?.task }) { await task.value }
  }

  /// Returns when every turn that runs waits for a person, or none does.
  package func waitUntilHeld() async {
    await withCheckedContinuation { watcher in
      let isHeld = state.withLock { state in
        if !state.isHeld { state.watchers.append(watcher) }
        return state.isHeld
      }
      if isHeld { watcher.resume() }
    }
  }

  /// Changes what runs, and resumes the tasks that wait for that.
  private func change(_ change: (inout State) -> Void) {
    let watchers = state.withLock { state in
      change(&state)
      return state.takeWatchers()
    }
    for watcher in watchers { watcher.resume() }
  }

  private func launch(_ turn: TurnStore.Record, isNew: Bool) {
    let id = turn.id
    let shell = TurnShell(turn, isNew: isNew, services) { [weak self] isHeld in
      self?.change { $0.running[id]?.isHeld = isHeld }
    }
    state.withLock { state in
      guard !state.isStopping, state.running[id] == nil else { return }
      let task = Task {
        await shell.run()
        change { $0.running[id] = nil }
      }
      state.running[id] = Running(shell: shell, task: task)
    }
  }
}
