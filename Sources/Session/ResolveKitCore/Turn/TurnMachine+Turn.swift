// The turn's end, and the watch over its silence.
extension TurnMachine {
  /// - Parameter staysOpen: whether it ends for observers alone, and stays open in the journal.
  mutating func finish(
    _ status: TurnResult.Status, failure: RequestFailure?, usage: ResolveKitTurnComplete.Usage? = nil,
    staysOpen: Bool = false
  ) {
    guard let current = turn else { return }
    turn = nil
    emit(.cancelDeadline(.turnWatchdog(requestID: current.requestID)))
    if case .paused = current.phase { emit(.cancelDeadline(.messageRetry(requestID: current.requestID))) }
    // An abandoned turn may still run on the backend: its events are matched until it ends there.
    let mayRunOn = staysOpen || status == .cancelled || abandoned.contains { $0.requestID == current.requestID }
    if current.phase == .running, !mayRunOn {
      finishedTurns.insert(current.knownID)
      abandonCalls(of: current.knownID, reason: "The turn ended")
    }
    // Its end may be replayed yet, and name a turn that nobody knows.
    if status == .complete, current.turnID == nil { answersInHistory[current.text, default: 0] += 1 }
    if !staysOpen {
      remember(.turnFinished(status, reason: failure?.description))
      leave(current, status)
    }
    emit(
      .turnFinished(
        TurnResult(
          requestID: current.requestID, turnID: current.turnID, status: status, text: current.text,
          failure: failure, usage: usage)))
  }

  mutating func cancelTurn(at now: MonotonicNanoseconds) {
    guard let current = turn else { return note(.ignored("a cancellation without a turn")) }
    abandonTurn(isAnswerAwaited: false)
    // The backend waits for these calls, so they are answered.
    for key in ledger.unfinished(turnID: current.knownID) { refuseCancelled(key, at: now) }
    finish(.cancelled, failure: nil)
    if let turnID = current.turnID { emit(.stopTurn(turnID: turnID)) }
    askNextBatch()
  }

  /// Remembers the turn, which the backend may still run, until it ends there. A message that has not arrived is no turn.
  mutating func abandonTurn(isAnswerAwaited: Bool) {
    guard let current = turn, current.arrival != .no else { return }
    let reference = TurnReference(
      requestID: current.requestID, turnID: current.turnID, isAnswerAwaited: isAnswerAwaited)
    abandoned.append(reference)
    if abandoned.count > TurnPolicy.maximumAbandonedTurns { abandoned.removeFirst() }
    remember(.abandoned(reference))
  }

  mutating func armWatchdog(at now: MonotonicNanoseconds) {
    guard let current = turn else { return }
    let deadline = now.advanced(bySeconds: policy.watchdogSeconds)
    emit(.scheduleDeadline(.turnWatchdog(requestID: current.requestID), at: deadline))
  }

  /// Asks the history how a silent turn stands, and gives it up at last. Silence counts while the stream is open, and no
  /// more of it than one period at a time: the first question after a suspended machine has woken decides nothing.
  mutating func watchdogFired(_ requestID: String, at now: MonotonicNanoseconds) {
    guard var current = turn, current.requestID == requestID else { return }
    // While a call waits here, the silence is ours; while the stream is lost, it is the network's.
    if !link.isOpen || !ledger.unfinished(turnID: current.knownID).isEmpty {
      current.lastActivity = max(current.lastActivity, now)
      turn = current
    }
    let next = current.lastActivity.advanced(bySeconds: policy.watchdogSeconds)
    if now < next {
      return emit(.scheduleDeadline(.turnWatchdog(requestID: requestID), at: next))
    }
    current.silentPeriods += 1
    turn = current
    guard current.silentPeriods < policy.giveUpSeconds / max(policy.watchdogSeconds, 1) else {
      let reason = "Nothing was heard of the turn for \(policy.giveUpSeconds) s. Send the message again."
      abandonTurn(isAnswerAwaited: true)
      return finish(.failed, failure: RequestFailure(code: "no_answer", message: reason))
    }
    turn?.awaitsHistory = false
    askHistory()
    armWatchdog(at: now)
  }
}
