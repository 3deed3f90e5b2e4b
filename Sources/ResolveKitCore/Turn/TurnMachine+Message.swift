// A message on its way to becoming a turn.
extension TurnMachine {
  mutating func send(_ message: OutgoingMessage, at now: MonotonicNanoseconds) {
    func refuse(_ reason: String) { emit(.refuseMessage(requestID: message.requestID, reason: reason)) }
    guard turn == nil else { return refuse("A turn is in progress. Wait for its end, or cancel it.") }
    guard !link.isOver else { return refuse("There is no connection. Start it first.") }
    guard !message.text.isEmpty else { return refuse("The message is empty.") }
    guard message.text.utf8.count <= MessageSendRequest.maximumTextBytes else {
      return refuse("The message is longer than \(MessageSendRequest.maximumTextBytes) bytes.")
    }
    turn = TurnState(message: message, at: now)
    remember(.message(message, at: now))
    // Not before the stream is open: a backend may lose the first event of a session that nobody listens to.
    if link == .open || link == .resuming { post() }
    hastenStream()
  }

  private mutating func post() {
    guard var current = turn else { return }
    current.phase = .posting
    current.attempts += 1
    turn = current
    emit(.postMessage(current.message))
  }

  /// The stream is open: what waited for it goes out.
  mutating func resumeTurn(at now: MonotonicNanoseconds) {
    guard let current = turn else { return }
    switch current.phase {
    case .waiting:
      post()
    case .paused:
      emit(.cancelDeadline(.messageRetry(requestID: current.requestID)))
      post()
    case .posting, .running:
      break
    }
  }

  mutating func retryMessage(_ requestID: String) {
    guard let current = turn, current.requestID == requestID, current.phase == .paused else { return }
    emit(.cancelDeadline(.messageRetry(requestID: requestID)))
    // Without the stream the message waits for it: tries count only while something could come of them.
    if link == .open || link == .resuming {
      post()
    } else {
      turn?.phase = .waiting
    }
  }

  mutating func messageAccepted(_ requestID: String, turnID: String, at now: MonotonicNanoseconds) {
    if let current = turn, current.requestID == requestID {
      return heard(turnID: turnID, at: now)
    }
    if let index = abandoned.firstIndex(where: { $0.requestID == requestID }) {
      abandoned[index].turnID = turnID
      remember(.abandoned(abandoned[index]))
      if !link.isOver { emit(.stopTurn(turnID: turnID)) }
    } else {
      note(.ignored("the acceptance of a message that has ended"))
    }
  }

  mutating func messageFailed(_ requestID: String, _ failure: RequestFailure, at now: MonotonicNanoseconds) {
    guard var current = turn, current.requestID == requestID else {
      // The cancelled message never became a turn: nothing of it is to be waited for.
      if failure.kind != .transient, abandoned.contains(where: { $0.requestID == requestID }) {
        abandoned.removeAll { $0.requestID == requestID }
        remember(.abandonedEnded(requestID: requestID, turnID: nil))
      }
      return
    }
    // Events of the turn came before the answer to its message: the message has arrived.
    guard current.phase == .posting else { return }
    switch failure.kind {
    case .transient:
      current.isUncertain = true
      turn = current
      pause(after: failure, at: now)
    case .conflict where current.isUncertain:
      // Look-up and lock are not atomic on the backend: the running turn is probably this one.
      heard(turnID: nil, at: now)
    case .conflict where !abandoned.isEmpty && !isGivenUp(current, at: now):
      current.attempts = min(current.attempts, policy.messageAttempts - 1)
      turn = current
      pause(after: failure, at: now)
    case .sessionRefused where !current.sessionWasRenewed:
      current.sessionWasRenewed = true
      current.phase = .waiting
      turn = current
      renewSession(failure)
    case .final where failure.isBlocking:
      // It has become no turn.
      finish(.failed, failure: failure)
      giveUp(failure, isBlocked: true)
    case .conflict, .sessionRefused, .final:
      finish(.failed, failure: failure)
    }
  }

  private func isGivenUp(_ turn: TurnState, at now: MonotonicNanoseconds) -> Bool {
    now >= turn.startedAt.advanced(bySeconds: policy.giveUpSeconds)
  }

  private mutating func pause(after failure: RequestFailure, at now: MonotonicNanoseconds) {
    guard let current = turn else { return }
    guard current.attempts < policy.messageAttempts else { return finish(.failed, failure: failure) }
    turn?.phase = .paused
    let seconds = max(1 << min(current.attempts - 1, 4), failure.retryAfterSeconds ?? 0)
    note(.retrying("message in \(seconds) s: \(failure)"))
    emit(.scheduleDeadline(.messageRetry(requestID: current.requestID), at: now.advanced(bySeconds: seconds)))
  }
}
