// What the life of the connection means for the turn and its calls.
extension TurnMachine {
  mutating func start(_ policies: [ToolPolicy]) {
    guard link.start(&effects) else { return }
    tools = Dictionary(policies.map { ($0.name, $0) }, uniquingKeysWith: { _, last in last })
  }

  mutating func registrationFailed(_ failure: RequestFailure, isFinal: Bool) {
    if link.expectsRegistration(&effects) { giveUp(failure, isBlocked: isFinal || failure.isBlocking) }
  }

  mutating func sessionCreated(_ id: String, isReused: Bool) {
    switch link.arrival(of: id, &effects) {
    case .unexpected: return
    case .same: link.renew(isReused: isReused, &effects)
    case .other:
      if link.session != nil { leaveSession() }
      link.use(id, isReused: isReused)
      remember(.session(id: id))
      // A message that waits goes with the new session.
      if let current = turn { remember(.message(current.message, at: current.startedAt)) }
      guard !isReused else { return link.loadHistory(&effects) }
      turn?.earlier = []
      lastWords = turn.map { [$0.message.text] } ?? []
      remember(.history([]))
      link.openStream(&effects)
    }
  }

  mutating func sessionFailed(_ failure: RequestFailure) {
    if link.sessionFailed(failure, &effects) { giveUp(failure, isBlocked: failure.isBlocking) }
  }

  /// Another session has taken the place of this one: what was bound to the old one is over.
  mutating func leaveSession() {
    link.leaveSession()
    restoredCalls = []
    rules.forgetSession()
    abandoned = []
    answersInHistory = [:]
    let isPosted = turn.map { $0.phase == .running } ?? false
    abandonCalls(of: nil, reason: "The session was replaced")
    if isPosted {
      finish(
        .failed, failure: RequestFailure(code: "session_replaced", message: "The session ended before the answer."))
    }
    lastWords = nil
    moveMessage()
  }

  /// A message that is kept goes to the new session, which knows nothing of it.
  private mutating func moveMessage() {
    left?.earlier = nil
    switch left?.arrival {
    case .unknown, .running: left?.arrival = .no
    case .no, .ended, nil: break
    }
    guard let current = turn else { return }
    // A later start that takes up the old session must not send it there.
    remember(.turnFinished(.cancelled, reason: "The session was replaced"))
    remember(.leftMessage(requestID: current.requestID, .no))
    turn?.uncertainSince = nil
    turn?.awaitsHistory = false
    turn?.earlier = nil
    turn?.obstacle = .none
    switch current.phase {
    case .paused:
      emit(.cancelDeadline(.messageRetry(requestID: current.requestID)))
      turn?.phase = .waiting(.post)
    case .waiting, .asking: turn?.phase = .waiting(.post)
    case .posting, .running: break
    }
  }

  // MARK: Stream

  mutating func streamOpened(_ generation: Int, at now: MonotonicNanoseconds) {
    guard let opening = link.streamOpened(generation, &effects) else { return }
    readmitCalls(at: now)
    resumeTurn(at: now)
    switch opening {
    case .complete: break
    case .withGap: askHistory()
    }
    redeliverResults()
  }

  mutating func streamRefused(_ generation: Int, _ failure: RequestFailure) {
    switch link.streamRefused(generation, failure, &effects) {
    case .none: return
    case .renewal: link.renewSession(failure, &effects)
    case .end(let isBlocked): giveUp(failure, isBlocked: isBlocked)
    }
  }

  mutating func streamEvent(_ event: StreamEvent) {
    guard let (envelope, id) = link.take(event, &effects) else { return }
    emit(.eventApplied(envelope, id: id, arrivedAt: event.arrivedAt))
    apply(envelope, eventID: id, at: event.arrivedAt)
    link.advance(to: id, &effects)
  }

  // MARK: End

  /// The connection ends here; only a new start helps.
  mutating func giveUp(_ failure: RequestFailure, isBlocked: Bool) {
    let staysOpen = staysOpen
    link.end(isBlocked ? .blocked : .failed, &effects)
    if !staysOpen { abandonTurn(isAnswerAwaited: true) }
    leaveTurn(.failed, failure: failure, reason: "The connection was given up")
    link.showEnd(reason: failure.description, &effects)
  }

  mutating func stop() {
    guard link.state != .idle else { return }
    let staysOpen = staysOpen
    link.end(.idle, &effects)
    // The backend is not told, so it runs the turn on: the next start's first message waits for its end.
    if !staysOpen { abandonTurn(isAnswerAwaited: false) }
    leaveTurn(.cancelled, failure: nil, reason: "Stopped")
    link.showEnd(&effects)
  }

  /// Whether the turn in flight is one that was taken up and has not met its backend since.
  private var staysOpen: Bool { link.isRestored && turn?.isRestored ?? false }

  /// Turn and calls end with the connection. What was taken up from a journal and has not met its backend since ends for
  /// observers; it stays open in the journal, and the next start takes it up again.
  private mutating func leaveTurn(_ status: TurnResult.Status, failure: RequestFailure?, reason: String) {
    if link.isRestored {
      for key in restoredCalls { ledger.remove(key) }
      restoredCalls = []
    } else {
      keepResults(reason: reason)
    }
    let staysOpen = staysOpen
    let running = turn.flatMap { $0.phase == .running && !staysOpen ? $0 : nil }
    finish(status, failure: failure, staysOpen: staysOpen)
    // The backend runs it on: a retry takes it up, and sends nothing.
    if let running { learn(.running(turnID: running.turnID)) }
  }
}
