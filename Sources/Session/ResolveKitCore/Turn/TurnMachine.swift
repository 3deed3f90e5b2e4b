/// The session's rules as a pure value: events in, actions out. The journal of its events replays it exactly.
///
/// It keeps one turn in flight, applies each event of the log at most once, starts each call at most once, records each
/// result once, and ends a turn only by a terminal event, by the user, or by a declared give-up.
package struct TurnMachine: Equatable, Sendable {
  package let policy: TurnPolicy
  /// The effects of the event at hand; its record stays until the next one.
  var effects = TurnEffects()
  var link: LinkMachine
  var turn: TurnState?
  var messages = LastMessages()
  var ended = EndedTurns()
  var calls: CallMachine

  package init(policy: TurnPolicy = TurnPolicy()) {
    self.policy = policy
    link = LinkMachine(policy: policy)
    calls = CallMachine(policy: policy)
  }

  /// A machine that knows nothing of this one's session, but of the tools that still run and of standing decisions.
  package func successor() -> TurnMachine {
    var next = TurnMachine(policy: policy)
    next.calls = calls.successor()
    return next
  }

  /// The published state of the connection.
  package var connectionState: ResolveKitConnectionState { link.shown }
  package var statistics: TurnStatistics { effects.statistics }
  /// The record of the last event: durable before the actions that ask for it are performed.
  package var record: [JournalEntry] { effects.record }
  /// The session's id, once there is one.
  package var sessionID: String? { link.session?.id }
  /// Whether a journal was taken up whose session has not been open since: the backend does not know yet what is in it.
  package var isRestored: Bool { link.isRestored }
  /// The message's id of the turn in flight.
  package var turnRequestID: String? { turn?.requestID }
  /// The last message, if its turn ended here without an answer; nil while a turn is in flight.
  package var left: LeftMessage? { messages.left }
  /// The cursor that a new stream would send.
  package var cursor: String? { link.cursor }
  package var isTurnInProgress: Bool { turn != nil }
  /// The visible text of the turn in flight.
  package var shownText: String? { turn?.answer.text }
  /// Every batch that is remembered, oldest first.
  package var batches: [ToolCallChecklistBatch] { calls.book.batches }
  /// The question to a person now; nil where there is none.
  package var question: ResolveKitApprovalRequest? { calls.book.question }

  /// Takes one event and answers what is to be done, in order.
  package mutating func handle(_ event: TurnEvent) -> [TurnAction] {
    effects.begin()
    switch event {
    case .restored(let image, let now): restored(image, at: now)
    case .journalFailed(let failure): giveUp(failure, isBlocked: false)
    case .startRequested(let tools): start(tools)
    case .registered: link.registrationEnded(&effects)
    case .registrationFailed(let failure, let isFinal): registrationFailed(failure, isFinal: isFinal)
    case .sessionCreated(let id, let isReused): sessionCreated(id, isReused: isReused)
    case .sessionFailed(let failure): sessionFailed(failure)
    case .retryDue(let step): link.retryDue(step, &effects)
    case .stopRequested: stop()

    case .streamConnecting(let generation, let attempt): link.streamConnecting(generation, attempt: attempt, &effects)
    case .streamOpened(let generation, let now): streamOpened(generation, at: now)
    case .streamEvent(let event): streamEvent(event)
    case .streamEnded(let generation, let isClean, let reason, let resumesAtOnce):
      link.streamEnded(generation, isRoutine: isClean && resumesAtOnce, reason: reason, &effects)
    case .streamRefused(let generation, let failure): streamRefused(generation, failure)

    case .sendRequested(let message, let now): send(message, at: now)
    case .messageAccepted(let requestID, let turnID, let now): messageAccepted(requestID, turnID: turnID, at: now)
    case .messageFailed(let requestID, let failure, let now): messageFailed(requestID, failure, at: now)
    case .messageNotPosted(let requestID, let failure, let now):
      messageFailed(requestID, failure, wasPosted: false, at: now)
    case .cancelRequested(let now): cancelTurn(at: now)

    case .approvalDecided(let decision, let question, let only, let now):
      decide(decision, on: question, only: only, at: now)
    case .policyDecided(let key, let verdict, let now): calls.policyDecided(key, verdict, at: moment(now), &effects)
    case .standingApprovalsChanged(let approvals, let now):
      calls.standingApprovalsChanged(approvals, at: moment(now), &effects)
    case .toolProgressed(let key, let progress): calls.book.toolProgressed(key, progress, &effects)
    case .toolFinished(let key, let outcome, let now):
      calls.toolFinished(key, outcome, at: moment(now), &effects)
    case .resultAccepted(let key, let deduplicated, let now):
      settle(key, deduplicated ? .deduplicated : .accepted, at: now)
    case .resultFailed(let key, let failure, let now): resultFailed(key, failure, at: now)

    case .historyLoaded(let messages, let now): historyLoaded(messages, at: now)
    case .historyFailed(let failure, let now): historyFailed(failure, at: now)
    case .deadlinePassed(let deadline, let now): deadlinePassed(deadline, at: now)
    }
    return effects.takeActions()
  }

  /// The moment of a fact about calls.
  func moment(_ now: MonotonicNanoseconds) -> CallMoment {
    CallMoment(now: now, mayDeliver: link.state.carriesRequests)
  }

  /// Keeps a fact, in the order in which it came about.
  mutating func remember(_ entry: JournalEntry) {
    effects.remember(entry)
  }

  mutating func emit(_ action: TurnAction) { effects.emit(action) }

  mutating func note(_ note: TurnNote) { effects.note(note) }

  private mutating func deadlinePassed(_ deadline: TurnDeadline, at now: MonotonicNanoseconds) {
    switch deadline {
    case .batchWindow(let id): calls.book.batchWindowEnded(id, &effects)
    case .toolCall(let key): calls.deadlinePassed(key, at: moment(now), &effects)
    case .resultRetry(let key): retryResult(key)
    case .messageRetry(let requestID): retryMessage(requestID, at: now)
    case .turnWatchdog(let requestID): watchdogFired(requestID, at: now)
    }
  }
}
