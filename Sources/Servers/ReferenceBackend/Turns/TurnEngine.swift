import Foundation
package import Logging
import Synchronization

/// Runs the turns of all sessions, and takes up those that a crash left running.
package final class TurnEngine: Sendable {
  private struct Running {
    var task: Task<Void, Never>
    /// The reason to end it before its time.
    var interruption: Interruption?
    /// The time until its end is written once more.
    var pause: Task<Void, any Error>?
    /// It waits for a call that a person has to approve. What it has come to is on disk.
    var isHeld = false
  }

  private enum Interruption {
    case user
    case escalation(reason: String)

    /// The interruption of a turn that `earlier` was to end already: a takeover has to be reported.
    func after(_ earlier: Interruption?) -> Interruption {
      if let earlier, case .escalation = earlier { return earlier }
      return self
    }
  }

  private struct State {
    /// Turns that may be in the database by now and do not run yet, with what ends them when they do.
    var starting: [String: Interruption?] = [:]
    var running: [String: Running] = [:]
    var isStopping = false
    /// Who waits until every turn is held.
    var watchers: [CheckedContinuation<Void, Never>] = []
    var isHeld: Bool { running.values.allSatisfy(\.isHeld) }

    mutating func takeWatchers() -> [CheckedContinuation<Void, Never>] {
      guard isHeld else { return [] }
      defer { watchers = [] }
      return watchers
    }
  }

  private let state = Mutex(State())
  private let model: any ModelAdapter
  private let sessions: SessionStore
  private let turns: TurnStore
  private let functions: FunctionStore
  private let calls: CallStore
  private let publisher: EventPublisher
  private let settings: BackendSettings
  private let faults: BackendFaults
  private let offersEscalation: Bool
  private let clock: any Clock<Duration>
  private let logger: Logger
  let pending: PendingCalls

  /// - Parameter offersEscalation: whether the model may hand a session over to a person.
  package init(
    model: any ModelAdapter, database: BackendDatabase, publisher: EventPublisher, settings: BackendSettings,
    faults: BackendFaults, offersEscalation: Bool, clock: any Clock<Duration>, logger: Logger
  ) {
    self.model = model
    sessions = SessionStore(database)
    turns = TurnStore(database)
    functions = FunctionStore(database)
    let calls = CallStore(database)
    self.calls = calls
    pending = PendingCalls(store: calls, clock: clock, now: publisher.now)
    self.publisher = publisher
    self.settings = settings
    self.faults = faults
    self.offersEscalation = offersEscalation
    self.clock = clock
    self.logger = logger
  }

  /// Takes up what a former process left running: turns that wait for tools wait on, all others are ended.
  package func recover() async throws {
    let recovery = TurnRecovery(
      turns: turns, sessions: sessions, calls: calls, publisher: publisher, logger: logger)
    for left in try await recovery.run() {
      logger.notice("turn \(left.turn.id) of session \(left.session.id) waits on for its tools")
      launch(left.turn.id, left.session, left.turn.requestID, after: left.rounds)
    }
  }

  /// Begins a turn; it runs on when this returns.
  package func begin(_ session: SessionRecord, text: String, requestID: String) async throws -> TurnStore.Beginning {
    let turnID = UUID().uuidString.lowercased()
    state.withLock { $0.starting[turnID] = .some(nil) }
    defer { state.withLock { _ = $0.starting.removeValue(forKey: turnID) } }
    var beginning = try await store(turnID, session.id, text, requestID)
    if beginning == .busy, try await waitForEnding(of: session.id) {
      beginning = try await store(turnID, session.id, text, requestID)
    }
    if case .began = beginning { launch(turnID, session, requestID) }
    return beginning
  }

  private func store(
    _ turnID: String, _ sessionID: String, _ text: String, _ requestID: String
  ) async throws -> TurnStore.Beginning {
    try await turns.begin(
      turnID, sessionID: sessionID, requestID: requestID, text: text, now: publisher.now(),
      limit: settings.turns.atOnce)
  }

  /// A turn's terminal event is seen by clients a moment before its lock is given up: who answers it at once must not
  /// be told of a conflict. Returns false where the running turn has not said its last word.
  private func waitForEnding(of sessionID: String) async throws -> Bool {
    for turn in try await turns.running() where turn.sessionID == sessionID {
      guard let last = try await publisher.log.lastEvent(ofTurn: turn.id), last.isTerminal else { return false }
      await state.withLock { $0.running[turn.id]?.task }?.value
    }
    return true
  }

  /// Stops a running turn; false where none with this id runs.
  package func cancel(_ turnID: String) -> Bool {
    interrupt(turnID, .user)
  }

  /// Ends the session's running turn because a person takes over; false where none ran. Returns once it has ended, or
  /// will as soon as it starts.
  func escalate(_ sessionID: String, reason: String) async throws -> Bool {
    for turn in try await turns.running() where turn.sessionID == sessionID {
      guard interrupt(turn.id, .escalation(reason: reason)) else { continue }
      let task = state.withLock { $0.running[turn.id]?.task }
      await task?.value
      // One that has yet to start will tell of it; any other may have ended otherwise meanwhile.
      if task == nil, try await turns.turn(turn.id)?.status == .running { return true }
      return try await publisher.log.lastEvent(ofTurn: turn.id)?.type == EventPayload.escalationType
    }
    return false
  }

  private func interrupt(_ turnID: String, _ interruption: Interruption) -> Bool {
    let (isFound, task) = state.withLock { state -> (Bool, Task<Void, Never>?) in
      if let earlier = state.starting[turnID] {
        state.starting[turnID] = interruption.after(earlier)
        return (true, nil)
      }
      guard let running = state.running[turnID] else { return (false, nil) }
      state.running[turnID]?.interruption = interruption.after(running.interruption)
      return (true, running.task)
    }
    task?.cancel()
    return isFound
  }

  /// Stops all turns without a word: when the database is next opened, those that wait for tools wait on, and the others
  /// are told as interrupted. Returns when all have stopped.
  package func stop() async {
    let running = state.withLock { state in
      state.isStopping = true
      return Array(state.running.values)
    }
    for turn in running {
      turn.task.cancel()
      turn.pause?.cancel()
    }
    for turn in running { await turn.task.value }
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

  private func hold(_ turnID: String, _ isHeld: Bool) {
    change { $0.running[turnID]?.isHeld = isHeld }
  }

  /// Changes what runs, and tells those who wait for that.
  private func change(_ change: (inout State) -> Void) {
    let watchers = state.withLock { state in
      change(&state)
      return state.takeWatchers()
    }
    for watcher in watchers { watcher.resume() }
  }

  private func launch(
    _ turnID: String, _ session: SessionRecord, _ requestID: String, after rounds: [ModelRound] = []
  ) {
    state.withLock { state in
      guard !state.isStopping else { return }
      let interruption = state.starting.removeValue(forKey: turnID) ?? nil
      let task = Task { await run(turnID, session, requestID, rounds) }
      state.running[turnID] = Running(task: task, interruption: interruption)
      if interruption != nil { task.cancel() }
    }
  }

  private func run(_ turnID: String, _ session: SessionRecord, _ requestID: String, _ rounds: [ModelRound]) async {
    let text = TurnText(rounds.map(\.text).joined())
    do {
      try await perform(turnID, session, requestID, rounds, text)
      await finish(turnID) { [turns] in try await turns.end(turnID, as: .complete) }
    } catch {
      if let ending = ending(of: turnID, after: error) {
        await finish(turnID) { [self] in try await end(turnID, session, requestID, by: ending, text) }
      }
    }
    change { $0.running[turnID] = nil }
  }

  private func perform(
    _ turnID: String, _ session: SessionRecord, _ requestID: String, _ rounds: [ModelRound], _ text: TurnText
  ) async throws {
    let eligible = try await functions.active().filter { $0.isEligible(in: session) }
    let history = try await sessions.messages(of: session.id, newest: max(1, settings.turns.historyMessages))
    let run = TurnRun(
      turnID: turnID, requestID: requestID, session: session, functions: eligible, model: model,
      publisher: publisher, turns: turns, calls: calls, pending: pending, settings: settings, faults: faults,
      offersEscalation: offersEscalation, hold: { [weak self] in self?.hold(turnID, $0) })
    try await run.perform(
      history.map { message in
        message.role == MessageRecord.userRole
          ? .user(message.content) : .assistant(text: message.content, toolCalls: [])
      }, after: rounds, text: text)
  }

  /// How a turn ends that threw; nil for one that is left running for the next start to take up.
  private func ending(of turnID: String, after error: any Error) -> TurnEnding? {
    let (isStopping, interruption) = state.withLock { ($0.isStopping, $0.running[turnID]?.interruption) }
    switch interruption {
    case .user: return .cancelled
    case .escalation(let reason): return .takenOver(reason: reason)
    case nil: break
    }
    if isStopping { return nil }
    if !(error is ModelEscalation) {
      // What the client is told need not be said twice to an operator who is its user.
      let isTold = error is ModelError && settings.explainsModelErrors
      logger.log(level: isTold ? .info : .warning, "turn \(turnID) failed: \(error)")
    }
    return TurnEnding(
      error, offersEscalation: offersEscalation, explainsModelErrors: settings.explainsModelErrors)
  }

  private func end(
    _ turnID: String, _ session: SessionRecord, _ requestID: String, by ending: TurnEnding, _ text: TurnText
  ) async throws {
    let now = publisher.now()
    // The log tells whether this was tried before, and how far it came.
    if try await publisher.log.lastEvent(ofTurn: turnID)?.isTerminal != true {
      if ending.escalates { try await sessions.escalate(session.id, now: now) }
      if ending.keepsText, !text.current.isEmpty {
        try await turns.keepAnswer(text.current, sessionID: session.id, now: now)
        text.clear()
      }
      try await publisher.publish([ending.event], sessionID: session.id, turnID: turnID, requestID: requestID)
    }
    try await turns.end(turnID, as: ending.status)
  }

  /// Writes the end of a turn, again and again where the disk takes nothing: until then its session takes no message. A
  /// stop leaves it to the next start.
  private func finish(_ turnID: String, _ write: @escaping @Sendable () async throws -> Void) async {
    // A task of its own: the turn's may be cancelled, and the database refuses a cancelled task's writes.
    var wait = Duration.seconds(1)
    while true {
      do { return try await Task { try await write() }.value } catch {
        logger.error("the end of turn \(turnID) could not be written, and is tried again: \(error)")
      }
      let pause = state.withLock { state -> Task<Void, any Error>? in
        if state.isStopping { return nil }
        let pause = Task { [clock, wait] in try await clock.sleep(for: wait) }
        state.running[turnID]?.pause = pause
        return pause
      }
      guard let pause else { return }
      _ = await pause.result
      wait = min(wait * 2, .seconds(60))
    }
  }
}
