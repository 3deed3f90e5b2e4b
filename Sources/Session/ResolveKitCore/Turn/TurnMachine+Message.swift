// A message on its way to becoming a turn.
extension TurnMachine {
  /// Takes a message. One that was left goes on under its id: only what is known not to have arrived is posted at once.
  mutating func send(_ message: OutgoingMessage, at now: MonotonicNanoseconds) {
    if let refusal = refusal(of: message.text) {
      return emit(.refuseMessage(requestID: message.requestID, reason: refusal.description))
    }
    if let left, left.message == message {
      takeUp(left, at: now)
    } else {
      begin(message, after: lastWords, since: now)
      take(.post, at: now)
    }
    link.hastenStream(&effects)
  }

  /// Why a message would not be taken now; nil where it would be.
  package func refusal(of text: String) -> ResolveKitMessageRefusal? {
    if turn != nil { return .turnInProgress }
    if link.state.isOver { return .notConnected }
    if text.isEmpty { return .noText }
    return text.utf8.count > MessageSendRequest.maximumTextBytes ? .tooLong : nil
  }

  private mutating func takeUp(_ left: LeftMessage, at now: MonotonicNanoseconds) {
    abandoned.removeAll { $0.requestID == left.message.requestID }
    switch left.arrival {
    case .no, .ended:
      begin(left.message, after: left.earlier, since: now)
      take(.post, at: now)
    case .unknown(let since):
      begin(left.message, after: left.earlier, since: since)
      turn?.uncertainSince = since
      take(.ask, at: now)
    case .running(let turnID):
      begin(left.message, after: left.earlier, since: now)
      heard(turnID: turnID, at: now)
      askHistory()
    }
  }

  private mutating func begin(_ message: OutgoingMessage, after earlier: [String]?, since: MonotonicNanoseconds) {
    left = nil
    turn = TurnState(message: message, after: earlier, at: since)
    lastWords = earlier.map { $0 + [message.text] }
    if lastWords?.count ?? 0 > TurnPolicy.maximumLastWords { lastWords = nil }
    remember(.message(message, at: since))
  }

  /// Takes a step now, or once the stream is open: a backend may lose the first event of a session that nobody listens to,
  /// and tries count only while something could come of them.
  private mutating func take(_ step: TurnState.Step, at now: MonotonicNanoseconds) {
    guard var current = turn else { return }
    defer { turn = current }
    guard link.isOpen else { return current.phase = .waiting(step) }
    switch isForgotten(current, at: now) ? .ask : step {
    case .post:
      current.phase = .posting(since: now)
      emit(.postMessage(current.message))
    case .ask:
      current.phase = .asking
      current.awaitsHistory = true
      emit(.loadHistory)
    }
  }

  /// Whether the backend may have forgotten the message's id, so that another post could be another message.
  private func isForgotten(_ turn: TurnState, at now: MonotonicNanoseconds) -> Bool {
    turn.uncertainSince.map { now >= $0.advanced(bySeconds: policy.repostSeconds) } ?? false
  }

  /// The history's word on a message that may have arrived.
  mutating func judge(by history: [HistoryMessage], at now: MonotonicNanoseconds) {
    guard let current = turn, current.phase == .asking else { return }
    switch current.finding(in: history) {
    case .present:
      heard(turnID: nil, at: now)
    case .absent:
      turn?.uncertainSince = nil
      take(.post, at: now)
    // While the backend knows its id, the message is no other one.
    case .ambiguous where !isForgotten(current, at: now):
      take(.post, at: now)
    case .ambiguous:
      let reason = "It is not known whether the message arrived. Look at the conversation, and send it again if not."
      finish(.failed, failure: RequestFailure(code: "unknown_fate", message: reason))
    }
  }

  /// The stream is open: what waited for it goes out.
  mutating func resumeTurn(at now: MonotonicNanoseconds) {
    guard let current = turn else { return }
    switch current.phase {
    case .waiting(let step): take(step, at: now)
    case .paused: endPause(at: now)
    case .posting, .asking, .running: break
    }
  }

  mutating func retryMessage(_ requestID: String, at now: MonotonicNanoseconds) {
    guard let current = turn, current.requestID == requestID, case .paused(let step, _) = current.phase else { return }
    emit(.cancelDeadline(.messageRetry(requestID: requestID)))
    take(step, at: now)
  }

  /// A turn that is not this one has ended on the backend: a message that waits for that may go.
  mutating func earlierTurnEnded(at now: MonotonicNanoseconds) {
    guard let current = turn, case .earlierTurn = current.obstacle else { return }
    endPause(at: now)
  }

  private mutating func endPause(at now: MonotonicNanoseconds) {
    guard let current = turn, case .paused(_, let orderedUntil) = current.phase else { return }
    if let orderedUntil, now < orderedUntil { return }
    retryMessage(current.requestID, at: now)
  }
}
