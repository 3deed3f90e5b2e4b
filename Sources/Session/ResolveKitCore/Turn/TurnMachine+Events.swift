// What each event of the log means.
extension TurnMachine {
  mutating func apply(_ envelope: ResolveKitEnvelope, eventID: String?, at now: MonotonicNanoseconds) {
    hearLeftMessage(envelope)
    switch envelope.type {
    case ResolveKitEventType.assistantTextDelta:
      guard adopts(envelope, at: now) else { return }
      guard let delta = ResolveKitTextDelta(payload: envelope.payload) else { return poison(envelope) }
      extendText(delta)
    case ResolveKitEventType.toolCallRequest:
      toolCallRequested(envelope, eventID: eventID, at: now)
    case ResolveKitEventType.turnComplete:
      turnCompleted(envelope, at: now)
    case ResolveKitEventType.error:
      errorReported(envelope, at: now)
    case ResolveKitEventType.sessionEscalated:
      escalated(envelope, at: now)
    case ResolveKitEventType.humanMessage:
      guard let text = envelope.payload["text"]?.stringValue else { return poison(envelope) }
      let messageID = envelope.payload["message_id"]?.stringValue
      remember(.humanMessage(id: messageID ?? eventID, text: text))
      emit(.showHumanMessage(messageID: messageID, text: text))
    case ResolveKitEventType.feedbackRequested:
      let isImmediate = envelope.payload["immediate"]?.boolValue ?? false
      emit(.feedbackRequested(immediate: isImmediate, timestamp: envelope.timestamp))
    default:
      note(.unknownEventType(envelope.type))
    }
  }

  /// Whether the event belongs to the turn in flight; if so, the turn is heard of, and named if it was not.
  mutating func adopts(_ envelope: ResolveKitEnvelope, at now: MonotonicNanoseconds) -> Bool {
    guard let current = turn, current.reference.owns(envelope) else { return false }
    heard(turnID: envelope.turnID, at: now)
    return true
  }

  /// The turn is alive: named if it was not, no longer to be posted.
  mutating func heard(turnID: String?, at now: MonotonicNanoseconds) {
    guard var current = turn else { return }
    current.lastActivity = max(current.lastActivity, now)
    current.silentPeriods = 0
    let isNews = current.phase != .running
    current.phase = .running
    if isNews || (current.turnID == nil && turnID != nil) { remember(.heard(turnID: current.turnID ?? turnID)) }
    if current.turnID == nil, let turnID {
      current.turnID = turnID
      emit(.turnIdentified(requestID: current.requestID, turnID: turnID))
    }
    turn = current
    if isNews {
      lastWords = [current.message.text]
      emit(.cancelDeadline(.messageRetry(requestID: current.requestID)))
      armWatchdog(at: now)
    }
  }

  private mutating func poison(_ envelope: ResolveKitEnvelope) {
    note(.poisonEvent(id: envelope.eventID ?? "", reason: "the payload of \(envelope.type) lacks what it must have"))
  }

  private mutating func turnCompleted(_ envelope: ResolveKitEnvelope, at now: MonotonicNanoseconds) {
    let payload = ResolveKitTurnComplete(payload: envelope.payload)
    if payload == nil { poison(envelope) }
    if adopts(envelope, at: now) {
      // A terminal event without a text still ends the turn: with what has been shown.
      if let payload { setText(payload.fullText, isFinal: true) }
      return finish(.complete, failure: nil, usage: payload?.usage)
    }
    let ended = forgetAbandoned(envelope, at: now)
    if let ended, !ended.isAnswerAwaited { return }
    earlierTurnEnded(at: now)
    guard let payload, let id = envelope.turnID ?? envelope.requestID, finishedTurns.insert(id) || ended != nil else {
      return
    }
    if let count = answersInHistory[payload.fullText], count > 0 {
      answersInHistory[payload.fullText] = count - 1
      return remember(.foreignTurn(id: id, text: payload.fullText, isShown: false))
    }
    remember(.foreignTurn(id: id, text: payload.fullText, isShown: true))
    emit(.showForeignAnswer(turnID: id, text: payload.fullText))
  }

  private mutating func errorReported(_ envelope: ResolveKitEnvelope, at now: MonotonicNanoseconds) {
    let payload = ResolveKitServerErrorPayload(payload: envelope.payload)
    if payload.isSuperseded { return note(.ignored("an error event of code superseded")) }
    if adopts(envelope, at: now) {
      return finish(.failed, failure: RequestFailure(code: payload.code, message: payload.message))
    }
    if forgetAbandoned(envelope, at: now) != nil { return }
    note(.ignored("an error of another turn: \(payload.message)"))
    earlierTurnEnded(at: now)
  }

  private mutating func escalated(_ envelope: ResolveKitEnvelope, at now: MonotonicNanoseconds) {
    let reason = envelope.payload["reason"]?.stringValue ?? "A person takes over."
    remember(.escalated(reason: reason))
    emit(.sessionEscalated(reason: reason))
    if adopts(envelope, at: now) {
      return finish(.failed, failure: RequestFailure(code: "session_escalated", message: reason))
    }
    // An operator's takeover has ids of its own, so whether it ended this turn is for the history to say.
    if forgetAbandoned(envelope, at: now) == nil, turn != nil { askHistory() }
  }

  /// A turn that ended here before has ended on the backend too: a message that waits for it may go. Returns the turn.
  private mutating func forgetAbandoned(
    _ envelope: ResolveKitEnvelope, at now: MonotonicNanoseconds
  ) -> TurnReference? {
    guard let index = abandoned.firstIndex(where: { $0.owns(envelope) }) else { return nil }
    let reference = abandoned.remove(at: index)
    let turnID = envelope.turnID ?? reference.turnID
    if let turnID { finishedTurns.insert(turnID) }
    remember(.abandonedEnded(requestID: reference.requestID, turnID: turnID))
    earlierTurnEnded(at: now)
    return reference
  }
}
