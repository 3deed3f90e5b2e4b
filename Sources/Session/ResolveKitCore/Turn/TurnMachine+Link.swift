// What the life of the connection means for the turn and its calls.
extension TurnMachine {
  mutating func start(_ policies: [ToolPolicy]) {
    guard link.start(&effects) else { return }
    calls.use(policies)
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
      turn?.course.know(earlier: [])
      messages.know(turn.map { [$0.message.text] } ?? [])
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
    ended.leaveSession()
    let isPosted = turn?.isRunning ?? false
    calls.leaveSession(&effects)
    if isPosted {
      finish(
        .failed, failure: RequestFailure(code: "session_replaced", message: "The session ended before the answer."))
    }
    messages.leaveSession()
    guard let current = turn else { return }
    // A message that is kept goes to the new session; a later start that takes up the old one must not send it there.
    remember(.turnFinished(.cancelled, reason: "The session was replaced"))
    remember(.leftMessage(requestID: current.requestID, .no))
    turn?.moveToNewSession(&effects)
  }

  // MARK: Stream

  mutating func streamOpened(_ generation: Int, at now: MonotonicNanoseconds) {
    guard let opening = link.streamOpened(generation, &effects) else { return }
    calls.readmit(turnID: turn?.knownID, refusal: ended.refusal, at: moment(now), &effects)
    turn?.course.streamOpened(at: now, &effects)
    switch opening {
    case .complete: break
    case .withGap: askHistory()
    }
    calls.book.redeliverResults(&effects)
  }

  mutating func streamRefused(_ generation: Int, _ failure: RequestFailure) {
    switch link.streamRefused(generation, failure, &effects) {
    case .none: return
    case .renewal: link.renewSession(failure, &effects)
    case .end(let isBlocked): giveUp(failure, isBlocked: isBlocked)
    }
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
    // The backend does not learn of it, so it continues the turn: the next start's first message waits for its end.
    if !staysOpen { abandonTurn(isAnswerAwaited: false) }
    leaveTurn(.cancelled, failure: nil, reason: "Stopped")
    link.showEnd(&effects)
  }

  /// Whether the turn in flight was restored and has not reached its backend since.
  private var staysOpen: Bool { link.isRestored && turn?.isRestored ?? false }

  /// Turn and calls end with the connection. One that was restored from a journal and has not reached its backend since
  /// ends for observers; it stays open in the journal, and the next start takes it up again.
  private mutating func leaveTurn(_ status: TurnResult.Status, failure: RequestFailure?, reason: String) {
    calls.connectionEnded(isRestored: link.isRestored, reason: reason, &effects)
    let staysOpen = staysOpen
    let running = turn.flatMap { $0.isRunning && !staysOpen ? $0 : nil }
    finish(status, failure: failure, staysOpen: staysOpen)
    // The backend runs it on: a retry takes it up, and sends nothing.
    if let running { messages.learn(.running(turnID: running.turnID), &effects) }
  }

  // MARK: Journal

  /// Takes up a session that an earlier process left behind.
  mutating func restored(_ image: SessionImage, at now: MonotonicNanoseconds) {
    guard let id = image.sessionID, !link.state.carriesRequests else { return note(.ignored("a journal, too late")) }
    if let current = link.session, !current.id.hasSameBytes(as: id) { leaveSession() }
    remember(.session(id: id))
    link.restore(image, id: id)
    ended.restore(image)
    let words = image.lastWords + (image.turn.map { [$0.message.text] } ?? [])
    restoreTurn(image, at: now)
    messages.know(words + (turn.map { [$0.message.text] } ?? []))
    messages.restore(turn == nil ? image.left : nil)
    calls.restore(image.calls, &effects)
  }

  private mutating func restoreTurn(_ image: SessionImage, at now: MonotonicNanoseconds) {
    if let current = turn {
      var earlier = image.lastWords
      if let left = image.turn {
        // Another message was taken meanwhile: the one of the earlier process runs on unseen.
        earlier.append(left.message.text)
        ended.abandon(TurnReference(requestID: left.message.requestID, turnID: left.turnID), &effects)
        remember(.turnFinished(.cancelled, reason: nil))
      }
      turn?.course.know(earlier: earlier)
      remember(.message(current.message, at: current.startedAt))
    } else if let left = image.turn {
      turn = TurnState(restoring: image, left, at: now, policy)
      if left.isHeard { armWatchdog(at: now) }
    }
  }
}
