package import Logging
import Synchronization

/// Runs the turns of all sessions, and ends those that a crash left running.
package final class TurnEngine: Sendable {
  private struct Running {
    var task: Task<Void, Never>
    /// What ends it before its time.
    var interruption: Interruption?
  }

  private enum Interruption {
    case user
    case escalation(reason: String)
  }

  private struct State {
    var running: [String: Running] = [:]
    var isStopping = false
  }

  private let state = Mutex(State())
  private let model: any ModelAdapter
  private let sessions: SessionStore
  private let turns: TurnStore
  private let functions: FunctionStore
  private let publisher: EventPublisher
  private let settings: BackendSettings
  private let faults: BackendFaults
  private let clock: any Clock<Duration>
  private let logger: Logger
  package let pending = PendingCalls()

  package init(
    model: any ModelAdapter, database: BackendDatabase, publisher: EventPublisher, settings: BackendSettings,
    faults: BackendFaults, clock: any Clock<Duration>, logger: Logger
  ) {
    self.model = model
    sessions = SessionStore(database)
    turns = TurnStore(database)
    functions = FunctionStore(database)
    self.publisher = publisher
    self.settings = settings
    self.faults = faults
    self.clock = clock
    self.logger = logger
  }

  /// Ends every turn that a former process left running with an `error` event: a client must never wait in silence.
  package func endInterruptedTurns() async throws {
    for turn in try await turns.running() {
      // The crash may have come between the terminal event and the turn's own end.
      if let last = try await publisher.log.lastEvent(ofTurn: turn.id), last.isTerminal {
        try await turns.end(turn.id, as: EventPayload.completeTypes.contains(last.type) ? .complete : .failed)
        continue
      }
      let event = EventPayload.error(
        code: "interrupted", message: "The server was restarted in the middle of the answer. Please ask again.",
        recoverable: true)
      try await publisher.publish(
        [event], sessionID: turn.sessionID, turnID: turn.id, requestID: turn.requestID)
      try await turns.end(turn.id, as: .interrupted)
      logger.notice("turn \(turn.id) of session \(turn.sessionID) was interrupted by a restart")
    }
  }

  /// Begins a turn; it runs on when this returns.
  package func begin(_ session: SessionRecord, text: String, requestID: String) async throws -> TurnStore.Beginning {
    var beginning = try await turns.begin(
      sessionID: session.id, requestID: requestID, text: text, now: publisher.now())
    if beginning == .busy, try await waitForEnding(of: session.id) {
      beginning = try await turns.begin(
        sessionID: session.id, requestID: requestID, text: text, now: publisher.now())
    }
    if case .began(let turnID) = beginning { launch(turnID, session, requestID) }
    return beginning
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
    interrupt(turnID, .user) != nil
  }

  /// Ends the session's running turn because a person takes over; returns once it has ended, false where none ran.
  func escalate(_ sessionID: String, reason: String) async throws -> Bool {
    for turn in try await turns.running() where turn.sessionID == sessionID {
      guard let task = interrupt(turn.id, .escalation(reason: reason)) else { continue }
      await task.value
      // It may have ended by itself meanwhile.
      return try await turns.turn(turn.id)?.status == .cancelled
    }
    return false
  }

  private func interrupt(_ turnID: String, _ interruption: Interruption) -> Task<Void, Never>? {
    let task = state.withLock { state in
      state.running[turnID]?.interruption = interruption
      return state.running[turnID]?.task
    }
    task?.cancel()
    return task
  }

  /// Stops all turns without a word: they are told as interrupted when the database is next opened. Returns when all
  /// have stopped.
  package func stop() async {
    let tasks = state.withLock { state in
      state.isStopping = true
      return state.running.values.map(\.task)
    }
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
  }

  /// Returns when no turn is running.
  package func waitUntilIdle() async {
    while let task = state.withLock({ $0.running.values.first?.task }) { await task.value }
  }

  private func launch(_ turnID: String, _ session: SessionRecord, _ requestID: String) {
    state.withLock { state in
      guard !state.isStopping else { return }
      state.running[turnID] = Running(task: Task { await run(turnID, session, requestID) })
    }
  }

  private func run(_ turnID: String, _ session: SessionRecord, _ requestID: String) async {
    let text = TurnText()
    let ending: (TurnStore.Status, EventPayload?)?
    do {
      try await perform(turnID, session, requestID, text)
      ending = (.complete, nil)
    } catch {
      ending = self.ending(of: turnID, after: error)
    }
    pending.forget(turnID: turnID)
    if let (status, event) = ending {
      // A task of its own: this one may be cancelled, and the database refuses a cancelled task's writes.
      await Task { await end(turnID, session, requestID, as: status, event, text) }.value
    }
    state.withLock { $0.running[turnID] = nil }
  }

  private func perform(_ turnID: String, _ session: SessionRecord, _ requestID: String, _ text: TurnText) async throws {
    let eligible = try await functions.active().filter { $0.isEligible(in: session) }
    let history = try await sessions.messages(of: session.id).suffix(max(1, settings.turns.historyMessages))
    let run = TurnRun(
      turnID: turnID, requestID: requestID, session: session, functions: eligible, model: model,
      publisher: publisher, turns: turns, pending: pending, settings: settings, faults: faults, clock: clock,
      logger: logger)
    try await run.perform(
      history.map { message in
        message.role == MessageRecord.userRole
          ? .user(message.content) : .assistant(text: message.content, toolCalls: [])
      }, text: text)
  }

  /// How a turn ends that threw; nil for one that is left running for the next start to tell.
  private func ending(of turnID: String, after error: any Error) -> (TurnStore.Status, EventPayload?)? {
    let (isStopping, interruption) = state.withLock { ($0.isStopping, $0.running[turnID]?.interruption) }
    switch interruption {
    case .user: return (.cancelled, .error(code: "cancelled", message: "The turn was stopped.", recoverable: true))
    case .escalation(let reason): return (.cancelled, .sessionEscalated(reason: reason))
    case nil: break
    }
    if isStopping { return nil }
    logger.warning("turn \(turnID) failed: \(error)")
    switch error {
    case let error as ModelError:
      return (.failed, .error(code: error.eventCode, message: error.eventMessage, recoverable: true))
    case let error as TurnError:
      return (.failed, .error(code: error.eventCode, message: error.eventMessage, recoverable: true))
    default:
      return (.failed, .error(code: "transport_error", message: "Turn processing failed", recoverable: true))
    }
  }

  private func end(
    _ turnID: String, _ session: SessionRecord, _ requestID: String, as status: TurnStore.Status,
    _ event: EventPayload?, _ text: TurnText
  ) async {
    do {
      // What was said stays in the history, or the next turn's model would not know of it.
      if status == .cancelled, !text.current.isEmpty {
        try await turns.keepAnswer(text.current, sessionID: session.id, now: publisher.now())
      }
      if let event {
        try await publisher.publish([event], sessionID: session.id, turnID: turnID, requestID: requestID)
      }
      try await turns.end(turnID, as: status)
    } catch {
      // The turn stays marked as running, so the next start tells its end.
      logger.error("the end of turn \(turnID) could not be written: \(error)")
    }
  }
}
