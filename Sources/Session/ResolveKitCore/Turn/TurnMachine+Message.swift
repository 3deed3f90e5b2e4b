// A message, from the user's word to the backend's.
extension TurnMachine {
  /// Takes a message. One that was left continues under its id: only what is known not to have arrived is posted at once.
  mutating func send(_ message: OutgoingMessage, at now: MonotonicNanoseconds) {
    if let refusal = refusal(of: message.text) {
      return emit(.refuseMessage(requestID: message.requestID, reason: refusal.description))
    }
    if let left, left.message == message {
      takeUp(left, at: now)
    } else {
      begin(message, after: messages.words, since: now)
      take(.post, at: now)
    }
    link.retryStreamNow(&effects)
  }

  /// The reason for which a message would not be taken now; nil where it would be.
  package func refusal(of text: String) -> ResolveKitMessageRefusal? {
    if turn != nil { return .turnInProgress }
    if link.state.isOver { return .notConnected }
    if text.isEmpty { return .noText }
    return text.utf8.count > MessageSendRequest.maximumTextBytes ? .tooLong : nil
  }

  private mutating func takeUp(_ left: LeftMessage, at now: MonotonicNanoseconds) {
    ended.takeUp(requestID: left.message.requestID)
    switch left.arrival {
    case .no, .ended:
      begin(left.message, after: left.earlier, since: now)
      take(.post, at: now)
    case .unknown(let since):
      begin(left.message, after: left.earlier, since: since, isUncertain: true)
      take(.ask, at: now)
    case .running(let turnID):
      begin(left.message, after: left.earlier, since: now, isTakenUp: true)
      turnAppeared(turnID: turnID, at: now)
      askHistory()
    }
  }

  private mutating func begin(
    _ message: OutgoingMessage, after earlier: [String]?, since: MonotonicNanoseconds, isUncertain: Bool = false,
    isTakenUp: Bool = false
  ) {
    turn = TurnState(
      message, after: earlier, uncertainSince: isUncertain ? since : nil, isTakenUp: isTakenUp, at: since, policy)
    messages.begin(message, after: earlier)
    remember(.message(message, at: since))
  }

  private mutating func take(_ step: MessageCourse.Step, at now: MonotonicNanoseconds) {
    turn?.course.take(step, isOpen: link.isOpen, at: now, &effects)
  }

  mutating func retryMessage(_ requestID: String, at now: MonotonicNanoseconds) {
    guard turn?.requestID == requestID else { return }
    turn?.course.retry(isOpen: link.isOpen, at: now, &effects)
  }

  // MARK: Answers

  mutating func messageAccepted(_ requestID: String, turnID: String, at now: MonotonicNanoseconds) {
    if turn?.requestID == requestID { return turnAppeared(turnID: turnID, at: now) }
    messages.accepted(requestID: requestID, turnID: turnID, &effects)
    guard let reference = ended.name(requestID: requestID, turnID, &effects) else {
      return note(.ignored("the acceptance of a message that has ended"))
    }
    if !link.state.isOver, !reference.isAnswerAwaited { emit(.stopTurn(turnID: turnID)) }
  }

  /// - Parameter wasPosted: false where the message was not sent, since what goes before it failed.
  mutating func messageFailed(
    _ requestID: String, _ failure: RequestFailure, wasPosted: Bool = true, at now: MonotonicNanoseconds
  ) {
    let mayHaveArrived = wasPosted && failure.kind == .transient
    guard turn?.requestID == requestID else {
      if wasPosted, !mayHaveArrived {
        ended.refused(requestID: requestID, &effects)
        messages.refused(requestID: requestID, &effects)
      }
      return
    }
    follow(turn?.course.postFailed(failure, mayHaveArrived: mayHaveArrived, at: now, &effects), at: now)
  }

  private mutating func follow(_ outcome: MessageCourse.Outcome?, at now: MonotonicNanoseconds) {
    switch outcome {
    case .continues, nil: break
    case .arrived: turnAppeared(turnID: nil, at: now)
    case .renewsSession(let failure): link.renewSession(failure, &effects)
    case .failed(let failure): finish(.failed, failure: failure)
    case .blocked(let failure):
      finish(.failed, failure: failure)
      giveUp(failure, isBlocked: true)
    }
  }

  // MARK: The history

  /// Asks how the turn in flight stands.
  mutating func askHistory() {
    if link.state.carriesRequests { turn?.askHistory(&effects) }
  }

  mutating func historyLoaded(_ history: [HistoryMessage], at now: MonotonicNanoseconds) {
    if link.state == .loadingHistory { return adopt(history) }
    guard turn?.awaitsHistory ?? false else { return }
    turn?.endQuestion()
    follow(turn?.course.judge(by: history, isOpen: link.isOpen, at: now, &effects), at: now)
    guard let current = turn, current.isRunning, let answer = current.answer(in: history) else { return }
    setText(answer)
    finish(.complete, failure: nil)
  }

  /// The past of an adopted session is shown before its events.
  private mutating func adopt(_ history: [HistoryMessage]) {
    for message in history where message.role == "assistant" { ended.countAnswer(message.content) }
    let words = history.last { $0.role == "user" }.map { [$0.content] } ?? []
    turn?.course.know(earlier: words)
    messages.know(words + (turn.map { [$0.message.text] } ?? []))
    remember(.history(history))
    if !history.isEmpty { emit(.showHistory(history)) }
    link.openStream(&effects)
  }

  mutating func historyFailed(_ failure: RequestFailure, at now: MonotonicNanoseconds) {
    if link.state == .loadingHistory {
      note(.ignored("the history, which could not be loaded: \(failure)"))
      remember(.history([]))
      return link.openStream(&effects)
    }
    turn?.endQuestion()
    if turn?.course.phase == .asking {
      return follow(turn?.course.questionFailed(failure, at: now, &effects), at: now)
    }
    note(.retrying("history: \(failure)"))
  }
}
