/// The session's rules as a pure value: events in, actions out. The journal of its events replays it exactly.
///
/// It keeps one turn in flight, applies each event of the log at most once, starts each call at most once, records each
/// result once, and ends a turn only by a terminal event, by the user, or by a declared give-up.
package struct TurnMachine: Equatable, Sendable {
  package let policy: TurnPolicy
  package internal(set) var connectionState: ResolveKitConnectionState = .idle
  package internal(set) var statistics = TurnStatistics()

  var link: LinkState = .idle
  var tools: [String: ToolPolicy] = [:]
  var session: SessionRecord?
  var generation = 0
  var replay: ReplayLog
  var turn: TurnState?
  /// Turns that the user cancelled and the backend still runs.
  var abandoned: [TurnReference] = []
  var finishedTurns = RecentIDs(capacity: 256)
  /// Answers that the adopted session's history has shown already, with their number.
  var answersInHistory: [String: Int] = [:]
  var ledger: ToolLedger
  var desk = ApprovalDesk()
  /// Actions of the event at hand; empty between events.
  private var actions: [TurnAction] = []

  package init(policy: TurnPolicy = TurnPolicy()) {
    self.policy = policy
    replay = ReplayLog(capacity: policy.maximumEventIDs)
    ledger = ToolLedger(capacity: policy.maximumCalls)
  }

  /// The session's id, once there is one.
  package var sessionID: String? { session?.id }
  /// The cursor that a new stream would send.
  package var cursor: String? { replay.resumePoint }
  package var isTurnInProgress: Bool { turn != nil }
  /// What is shown of the turn in flight.
  package var shownText: String? { turn?.text }
  /// Every batch that is remembered, oldest first.
  package var batches: [ToolCallChecklistBatch] { desk.batches.map { checklist(of: $0) } }

  /// Takes one event and answers what is to be done, in order.
  package mutating func handle(_ event: TurnEvent) -> [TurnAction] {
    switch event {
    case .startRequested(let tools): start(tools)
    case .registered: registrationEnded()
    case .registrationFailed(let failure, let isFinal): registrationFailed(failure, isFinal: isFinal)
    case .sessionCreated(let id, let isReused): sessionCreated(id, isReused: isReused)
    case .sessionFailed(let failure): sessionFailed(failure)
    case .retryDue(let step): retryDue(step)
    case .stopRequested: stop()

    case .streamConnecting(let generation, let attempt): streamConnecting(generation, attempt: attempt)
    case .streamOpened(let generation, let now): streamOpened(generation, at: now)
    case .streamEvent(let event): streamEvent(event)
    case .streamEnded(let generation, let isClean, let reason, let resumesAtOnce):
      streamEnded(generation, isRoutine: isClean && resumesAtOnce, reason: reason)
    case .streamRefused(let generation, let failure): streamRefused(generation, failure)

    case .sendRequested(let message, let now): send(message, at: now)
    case .messageAccepted(let requestID, let turnID, let now): messageAccepted(requestID, turnID: turnID, at: now)
    case .messageFailed(let requestID, let failure, let now): messageFailed(requestID, failure, at: now)
    case .cancelRequested(let now): cancelTurn(at: now)

    case .approvalDecided(let batchID, let decision, let only, let now):
      decide(batchID, decision, only: only, at: now)
    case .toolFinished(let key, let outcome, let now): toolFinished(key, outcome, at: now)
    case .resultAccepted(let key, let deduplicated, let now):
      settle(key, deduplicated ? .deduplicated : .accepted, at: now)
    case .resultFailed(let key, let failure, let now): resultFailed(key, failure, at: now)

    case .historyLoaded(let messages, let now): historyLoaded(messages, at: now)
    case .historyFailed(let failure, let now): historyFailed(failure, at: now)
    case .deadlinePassed(let deadline, let now): deadlinePassed(deadline, at: now)
    }
    defer { actions = [] }
    return actions
  }

  mutating func emit(_ action: TurnAction) { actions.append(action) }

  mutating func note(_ note: TurnNote) { actions.append(.note(note)) }

  private mutating func deadlinePassed(_ deadline: TurnDeadline, at now: MonotonicNanoseconds) {
    switch deadline {
    case .batchWindow(let id): batchWindowEnded(id)
    case .toolCall(let key): callDeadlinePassed(key, at: now)
    case .resultRetry(let key): retryResult(key)
    case .messageRetry(let requestID): retryMessage(requestID)
    case .turnWatchdog(let requestID): watchdogFired(requestID, at: now)
    }
  }
}
