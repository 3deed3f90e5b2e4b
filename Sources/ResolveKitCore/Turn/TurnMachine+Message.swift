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
    turn = TurnState(message: message, after: lastWords, at: now)
    lastWords?.append(message.text)
    if lastWords?.count ?? 0 > TurnPolicy.maximumLastWords { lastWords = nil }
    remember(.message(message, at: now))
    // Not before the stream is open: a backend may lose the first event of a session that nobody listens to.
    if link == .open || link == .resuming { post(at: now) }
    hastenStream()
  }

  private mutating func post(at now: MonotonicNanoseconds) {
    guard var current = turn else { return }
    current.attempts += 1
    if let since = current.uncertainSince, now >= since.advanced(bySeconds: policy.repostSeconds) {
      current.phase = .asking
      turn = current
      return askHistory()
    }
    current.phase = .posting
    current.postedAt = now
    turn = current
    emit(.postMessage(current.message))
  }

  /// The history's word on a message whose fate is not known and that would be another one if it were posted again.
  mutating func judge(by history: [HistoryMessage], at now: MonotonicNanoseconds) {
    guard let current = turn, current.phase == .asking else { return }
    guard let last = history.last(where: { $0.role == "user" }), last.content.hasSameBytes(as: current.message.text)
    else {
      turn?.uncertainSince = nil
      if link == .open || link == .resuming { return post(at: now) }
      turn?.phase = .waiting
      return
    }
    guard !current.repeatsWords else {
      let reason = "It is not known whether the message arrived. Look at the conversation, and send it again if not."
      return finish(.failed, failure: RequestFailure(code: "unknown_fate", message: reason))
    }
    heard(turnID: nil, at: now)
  }

  /// The stream is open: what waited for it goes out.
  mutating func resumeTurn(at now: MonotonicNanoseconds) {
    guard let current = turn else { return }
    switch current.phase {
    case .waiting:
      post(at: now)
    case .paused:
      emit(.cancelDeadline(.messageRetry(requestID: current.requestID)))
      post(at: now)
    case .posting, .asking, .running:
      break
    }
  }

  mutating func retryMessage(_ requestID: String, at now: MonotonicNanoseconds) {
    guard let current = turn, current.requestID == requestID, current.phase == .paused else { return }
    emit(.cancelDeadline(.messageRetry(requestID: requestID)))
    // Without the stream the message waits for it: tries count only while something could come of them.
    if link == .open || link == .resuming {
      post(at: now)
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
    guard current.phase == .posting || current.phase == .asking else { return }
    switch failure.kind {
    case .transient:
      current.uncertainSince = current.uncertainSince ?? current.postedAt ?? now
      turn = current
      pause(after: failure, at: now)
    // First of all: should the running turn be this one, the next attempt is told so.
    case .conflict where !abandoned.isEmpty && !isGivenUp(current, at: now):
      current.attempts = min(current.attempts, policy.messageAttempts - 1)
      turn = current
      pause(after: failure, at: now)
    case .conflict where current.isUncertain:
      // Look-up and lock are not atomic on the backend: the running turn is probably this one.
      heard(turnID: nil, at: now)
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
