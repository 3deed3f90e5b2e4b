// Registration, the session, and the states that are shown of the connection.
extension TurnMachine {
  mutating func show(_ state: ResolveKitConnectionState, attempt: Int = 0, reason: String? = nil) {
    guard connectionState != state || attempt > 0 || reason != nil else { return }
    connectionState = state
    emit(.setConnectionState(state, attempt: attempt, reason: reason))
  }

  mutating func start(_ policies: [ToolPolicy]) {
    guard link.isOver else { return note(.ignored("a start, since the connection is running")) }
    session?.refusals = 0
    tools = Dictionary(policies.map { ($0.name, $0) }, uniquingKeysWith: { _, last in last })
    link = .registering
    isRestored = false
    show(.registering)
    emit(.register)
  }

  mutating func registrationEnded() {
    guard link == .registering else { return note(.ignored("a late registration")) }
    link = .creatingSession(attempt: 1)
    show(.connecting)
    emit(.createSession)
  }

  mutating func registrationFailed(_ failure: RequestFailure, isFinal: Bool) {
    guard link == .registering else { return note(.ignored("a late registration")) }
    giveUp(failure, isBlocked: isFinal || failure.isBlocking)
  }

  mutating func sessionCreated(_ id: String, isReused: Bool) {
    guard case .creatingSession = link else { return note(.ignored("session \(id), which was not asked for")) }
    // An adopted session whose history was not shown yet is adopted anew.
    if session?.id == id {
      session?.isReused = isReused
      return openStream()
    }
    if session != nil { leaveSession() }
    session = SessionRecord(id: id, isReused: isReused)
    remember(.session(id: id))
    // A message that waits goes with the new session.
    if let current = turn { remember(.message(current.message, at: current.startedAt)) }
    guard isReused else {
      turn?.earlier = []
      lastWords = turn.map { [$0.message.text] } ?? []
      remember(.history([]))
      return openStream()
    }
    link = .loadingHistory
    emit(.loadHistory)
  }

  /// Another session has taken the place of this one: what was bound to the old one is over.
  mutating func leaveSession() {
    isRestored = false
    restoredCalls = []
    replay.reset()
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
    // Whoever takes up the old session must not send it there.
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

  mutating func sessionFailed(_ failure: RequestFailure) {
    guard case .creatingSession(let attempt) = link else { return note(.ignored("a late session failure")) }
    let mayRetry = policy.sessionAttempts.map { attempt < $0 } ?? true
    guard failure.kind == .transient, session != nil, mayRetry else {
      return giveUp(failure, isBlocked: failure.isBlocking)
    }
    link = .awaitingSessionRetry(attempt: attempt)
    show(.reconnecting, attempt: attempt, reason: failure.description)
    emit(.retryAfterBackoff(.createSession, attempt: attempt, atLeast: failure.retryAfterSeconds))
  }

  mutating func retryDue(_ step: RetryStep) {
    switch step {
    case .createSession:
      guard case .awaitingSessionRetry(let attempt) = link else { return note(.ignored("a late retry")) }
      link = .creatingSession(attempt: attempt + 1)
      emit(.createSession)
    case .openStream:
      guard case .broken = link else { return note(.ignored("a late retry")) }
      openStream()
    }
  }

  /// The way to a fresh capability token, and to a fresh session if the old one is gone.
  mutating func renewSession(_ failure: RequestFailure) {
    switch link {
    case .creatingSession, .awaitingSessionRetry, .registering, .loadingHistory, .idle, .failed, .blocked: return
    case .opening, .open, .resuming, .broken: break
    }
    link = .creatingSession(attempt: 1)
    show(.reconnecting, reason: failure.description)
    emit(.closeStream)
    emit(.createSession)
  }

  mutating func openStream() {
    generation += 1
    link = .opening
    emit(.openStream(generation: generation, cursor: replay.resumePoint))
  }

  /// Somebody acts and waits for what comes of it, which the stream brings.
  mutating func hastenStream() {
    if case .broken = link { emit(.hastenStream) }
  }

  /// The connection ends here; only a new start helps.
  mutating func giveUp(_ failure: RequestFailure, isBlocked: Bool) {
    link = isBlocked ? .blocked : .failed
    emit(.closeStream)
    if !goesOn { abandonTurn() }
    leaveTurn(.failed, failure: failure, reason: "The connection was given up")
    show(isBlocked ? .blocked : .failed, reason: failure.description)
  }

  mutating func stop() {
    guard link != .idle else { return }
    link = .idle
    emit(.closeStream)
    // The backend is not told, so it runs the turn on: the next start's first message waits for its end.
    if !goesOn { abandonTurn() }
    leaveTurn(.cancelled, failure: nil, reason: "Stopped")
    show(.idle)
  }

  /// Whether the turn in flight is one that was taken up and has not met its backend since.
  private var goesOn: Bool { isRestored && turn?.isRestored ?? false }

  /// Turn and calls end with the connection. What was taken up from a journal and has not met its backend since ends
  /// for whoever watches alone: it stays as it is in the journal, and the next start takes it up again.
  private mutating func leaveTurn(_ status: TurnResult.Status, failure: RequestFailure?, reason: String) {
    if isRestored {
      for key in restoredCalls { ledger.remove(key) }
      restoredCalls = []
    } else {
      keepResults(reason: reason)
    }
    let goesOn = goesOn
    let running = turn.flatMap { $0.phase == .running && !goesOn ? $0 : nil }
    finish(status, failure: failure, goesOn: goesOn)
    // The backend runs it on: a retry takes it up, and sends nothing.
    if let running { learn(.running(turnID: running.turnID)) }
  }
}
