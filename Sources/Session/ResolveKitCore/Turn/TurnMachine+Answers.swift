// What the backend answers to a message, and what failures mean for it.
extension TurnMachine {
  mutating func messageAccepted(_ requestID: String, turnID: String, at now: MonotonicNanoseconds) {
    if let current = turn, current.requestID == requestID { return heard(turnID: turnID, at: now) }
    if left?.message.requestID == requestID { learn(.running(turnID: turnID)) }
    if let index = abandoned.firstIndex(where: { $0.requestID == requestID }) {
      abandoned[index].turnID = turnID
      remember(.abandoned(abandoned[index]))
      if !link.state.isOver, !abandoned[index].isAnswerAwaited { emit(.stopTurn(turnID: turnID)) }
    } else {
      note(.ignored("the acceptance of a message that has ended"))
    }
  }

  /// - Parameter wasPosted: false where the message was not sent, since what goes before it failed.
  mutating func messageFailed(
    _ requestID: String, _ failure: RequestFailure, wasPosted: Bool = true, at now: MonotonicNanoseconds
  ) {
    let mayHaveArrived = wasPosted && failure.kind == .transient
    guard var current = turn, current.requestID == requestID else {
      if wasPosted, !mayHaveArrived { leftMessageRefused(requestID) }
      return
    }
    // Events of the turn came before the answer to its message: the message has arrived.
    guard case .posting(let since) = current.phase else { return }
    if mayHaveArrived { current.uncertainSince = current.uncertainSince ?? since }
    current.phase = .waiting(.post)
    turn = current
    tryFailed(.post, failure, at: now)
  }

  /// The history could not be asked whether the message has arrived.
  mutating func questionFailed(_ failure: RequestFailure, at now: MonotonicNanoseconds) {
    turn?.phase = .waiting(.ask)
    tryFailed(.ask, failure, at: now)
  }

  private mutating func tryFailed(_ step: TurnState.Step, _ failure: RequestFailure, at now: MonotonicNanoseconds) {
    guard let current = turn else { return }
    switch failure.kind {
    case .transient:
      countFailure()
      pause(before: step, failure, at: now)
    case .conflict:
      hold(at: now)
      // Look-up and lock are not atomic on every backend: the running turn may be this one.
      pause(before: current.uncertainSince == nil ? .post : .ask, failure, at: now)
    case .sessionRefused where !current.sessionWasRenewed:
      turn?.sessionWasRenewed = true
      link.renewSession(failure, &effects)
    case .final where failure.isBlocking:
      // It has become no turn.
      finish(.failed, failure: failure)
      giveUp(failure, isBlocked: true)
    case .sessionRefused, .final:
      finish(.failed, failure: failure)
    }
  }

  private mutating func countFailure() {
    guard let current = turn else { return }
    switch current.obstacle {
    case .none, .failures: turn?.obstacle = .failures(current.obstacle.tries + 1)
    case .earlierTurn(let since, let tries): turn?.obstacle = .earlierTurn(since: since, tries: tries + 1)
    }
  }

  /// The backend runs another turn, whichever that is: what ended here since the post may have run there when it came.
  private mutating func hold(at now: MonotonicNanoseconds) {
    guard let current = turn else { return }
    switch current.obstacle {
    case .earlierTurn: countFailure()
    case .none, .failures:
      turn?.obstacle = .earlierTurn(since: now, tries: 1)
      emit(.showDelivery(current.message, .held))
    }
  }

  private mutating func pause(before step: TurnState.Step, _ failure: RequestFailure, at now: MonotonicNanoseconds) {
    guard let current = turn else { return }
    switch current.obstacle {
    case .none: break
    case .failures(let tries):
      guard tries < policy.messageAttempts else { return finish(.failed, failure: failure) }
    case .earlierTurn(let since, _):
      guard now < since.advanced(bySeconds: policy.giveUpSeconds) else {
        let reason = "An earlier turn has held the message back for \(policy.giveUpSeconds) s."
        return finish(.failed, failure: RequestFailure(status: 409, code: "turn_in_progress", message: reason))
      }
    }
    let ordered = failure.retryAfterSeconds
    let seconds = max(1 << min(max(current.obstacle.tries - 1, 0), 4), ordered ?? 0)
    turn?.phase = .paused(step, orderedUntil: ordered.map { now.advanced(bySeconds: $0) })
    note(.retrying("message in \(seconds) s: \(failure)"))
    emit(.scheduleDeadline(.messageRetry(requestID: current.requestID), at: now.advanced(bySeconds: seconds)))
  }
}
