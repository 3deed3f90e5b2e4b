// The turn: its signs of life, its end, and the watch over its silence.
extension TurnMachine {
  /// The turn is alive: named if it was not, no longer to be posted.
  mutating func turnAppeared(turnID: String?, at now: MonotonicNanoseconds) {
    guard turn?.appeared(turnID: turnID, at: now, &effects) ?? false, let current = turn else { return }
    messages.arrived(current.message)
    armWatchdog(at: now)
  }

  /// Takes the whole answer.
  mutating func setText(_ text: String) {
    if turn?.complete(with: text, &effects) == false { refuseText() }
  }

  mutating func refuseText() {
    let reason = "The answer is longer than \(policy.maximumTextBytes) bytes."
    finish(.failed, failure: RequestFailure(code: "answer_too_long", message: reason))
  }

  /// - Parameter staysOpen: whether it ends for observers alone, and stays open in the journal.
  mutating func finish(
    _ status: TurnResult.Status, failure: RequestFailure?, usage: ResolveKitTurnComplete.Usage? = nil,
    staysOpen: Bool = false
  ) {
    guard let current = turn else { return }
    turn = nil
    emit(.cancelDeadline(.turnWatchdog(requestID: current.requestID)))
    if current.course.isPaused { emit(.cancelDeadline(.messageRetry(requestID: current.requestID))) }
    // An abandoned turn may still run on the backend: its events are matched until it ends there.
    let mayRunOn = staysOpen || status == .cancelled || ended.mayRunOn(requestID: current.requestID)
    if current.isRunning, !mayRunOn {
      ended.finish(current.knownID)
      calls.book.abandon(turnID: current.knownID, reason: "The turn ended", &effects)
    }
    // Its end may be replayed yet, and name a turn that nobody knows.
    if status == .complete, current.turnID == nil { ended.countAnswer(current.answer.text) }
    if !staysOpen {
      remember(.turnFinished(status, reason: failure?.description))
      messages.leave(current.left, status, &effects)
    }
    emit(
      .turnFinished(
        TurnResult(
          requestID: current.requestID, turnID: current.turnID, status: status, text: current.answer.text,
          failure: failure, usage: usage)))
  }

  mutating func cancelTurn(at now: MonotonicNanoseconds) {
    guard let current = turn else { return note(.ignored("a cancellation without a turn")) }
    abandonTurn(isAnswerAwaited: false)
    calls.book.refuseAll(
      of: current.knownID, because: "Cancelled by the user", mayDeliver: link.state.carriesRequests, &effects)
    finish(.cancelled, failure: nil)
    if let turnID = current.turnID { emit(.stopTurn(turnID: turnID)) }
    calls.book.askNext(&effects)
  }

  /// Remembers the turn, which the backend may still run, until it ends there. A message that has not arrived is no turn.
  mutating func abandonTurn(isAnswerAwaited: Bool) {
    guard let current = turn, current.course.arrival != .no else { return }
    let reference = TurnReference(
      requestID: current.requestID, turnID: current.turnID, isAnswerAwaited: isAnswerAwaited)
    ended.abandon(reference, &effects)
  }

  // MARK: Silence

  mutating func armWatchdog(at now: MonotonicNanoseconds) {
    guard let current = turn else { return }
    let deadline = now.advanced(bySeconds: policy.watchdogSeconds)
    emit(.scheduleDeadline(.turnWatchdog(requestID: current.requestID), at: deadline))
  }

  /// Asks the history how a silent turn stands, and gives it up at last.
  mutating func watchdogFired(_ requestID: String, at now: MonotonicNanoseconds) {
    guard let current = turn, current.requestID == requestID else { return }
    // While a call waits here, the silence is ours; while the stream is lost, it is the network's.
    if !link.isOpen || calls.book.hasUnfinished(turnID: current.knownID) { turn?.silence.excused(at: now) }
    switch turn?.silence.periodEnded(at: now, policy) {
    case .wait(let next): emit(.scheduleDeadline(.turnWatchdog(requestID: requestID), at: next))
    case .ask:
      turn?.endQuestion()
      askHistory()
      armWatchdog(at: now)
    case .giveUp:
      let reason = "The turn was silent for \(policy.giveUpSeconds) s. Send the message again."
      abandonTurn(isAnswerAwaited: true)
      finish(.failed, failure: RequestFailure(code: "no_answer", message: reason))
    case nil: break
    }
  }
}
