// What each event of the log means.
extension TurnMachine {
  mutating func streamEvent(_ event: StreamEvent) {
    guard let (envelope, id) = link.take(event, &effects) else { return }
    emit(.eventApplied(envelope, id: id, arrivedAt: event.arrivedAt))
    if turn == nil { messages.receive(envelope, isShown: !ended.isCancelled(envelope), &effects) }
    apply(envelope, eventID: id, at: event.arrivedAt)
    link.advance(to: id, &effects)
  }

  private mutating func apply(_ envelope: ResolveKitEnvelope, eventID: String?, at now: MonotonicNanoseconds) {
    switch envelope.type {
    case ResolveKitEventType.assistantTextDelta:
      guard adopts(envelope, at: now) else { return }
      guard let delta = ResolveKitTextDelta(payload: envelope.payload) else { return poison(envelope) }
      if turn?.extend(by: delta, &effects) == false { refuseText() }
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

  /// Whether the event belongs to the turn in flight; if so, the turn has appeared, and is named if it was not.
  private mutating func adopts(_ envelope: ResolveKitEnvelope, at now: MonotonicNanoseconds) -> Bool {
    guard let current = turn, current.reference.owns(envelope) else { return false }
    turnAppeared(turnID: envelope.turnID, at: now)
    return true
  }

  private mutating func poison(_ envelope: ResolveKitEnvelope) {
    note(.poisonEvent(id: envelope.eventID ?? "", reason: "the payload of \(envelope.type) lacks what it must have"))
  }

  private mutating func toolCallRequested(
    _ envelope: ResolveKitEnvelope, eventID: String?, at now: MonotonicNanoseconds
  ) {
    let callID = envelope.payload["call_id"]?.stringValue ?? ""
    let isOurs = adopts(envelope, at: now)
    let past = isOurs ? nil : ended.owner(of: envelope)
    guard let owner = isOurs ? turn?.reference : past else {
      return note(.foreignCall(ToolCallKey(turnID: envelope.turnID ?? "", callID: callID)))
    }
    let key = ToolCallKey(turnID: envelope.turnID ?? owner.turnID ?? owner.requestID, callID: callID)
    // 422 for ever: the backend takes 1 to 255 characters.
    guard !callID.isEmpty, callID.unicodeScalars.count <= ResolveKitToolResultPayload.maximumKeyLength else {
      return note(.unanswerableCall(key))
    }
    guard let request = ResolveKitToolCallRequest(envelope) else {
      return note(.poisonEvent(id: eventID ?? "", reason: "a call without a function name"))
    }
    calls.request(request, as: key, eventID: eventID, refusal: past?.refusal, at: moment(now), &effects)
  }

  private mutating func turnCompleted(_ envelope: ResolveKitEnvelope, at now: MonotonicNanoseconds) {
    let payload = ResolveKitTurnComplete(payload: envelope.payload)
    if payload == nil { poison(envelope) }
    if adopts(envelope, at: now) {
      // A terminal event without a text still ends the turn: with what has been shown.
      if let payload { setText(payload.fullText) }
      return finish(.complete, failure: nil, usage: payload?.usage)
    }
    let reference = ended.ended(by: envelope, &effects)
    earlierTurnEnded(at: now)
    if let reference, !reference.isAnswerAwaited { return }
    guard let payload, let id = envelope.turnID ?? envelope.requestID else { return }
    ended.answered(id, payload.fullText, isAwaited: reference != nil, &effects)
  }

  private mutating func errorReported(_ envelope: ResolveKitEnvelope, at now: MonotonicNanoseconds) {
    let payload = ResolveKitServerErrorPayload(payload: envelope.payload)
    if payload.isSuperseded { return note(.ignored("an error event of code superseded")) }
    if adopts(envelope, at: now) {
      return finish(.failed, failure: RequestFailure(code: payload.code, message: payload.message))
    }
    if ended.ended(by: envelope, &effects) == nil { note(.ignored("an error of another turn: \(payload.message)")) }
    earlierTurnEnded(at: now)
  }

  private mutating func escalated(_ envelope: ResolveKitEnvelope, at now: MonotonicNanoseconds) {
    let reason = envelope.payload["reason"]?.stringValue ?? "A person takes over."
    remember(.escalated(reason: reason))
    emit(.sessionEscalated(reason: reason))
    if adopts(envelope, at: now) {
      return finish(.failed, failure: RequestFailure(code: "session_escalated", message: reason))
    }
    if ended.ended(by: envelope, &effects) != nil {
      earlierTurnEnded(at: now)
    } else {
      // An operator's takeover has ids of its own, so whether it ended this turn is for the history to say.
      askHistory()
    }
  }

  /// A turn that is not this one has ended on the backend: a message that waits for that may go.
  private mutating func earlierTurnEnded(at now: MonotonicNanoseconds) {
    turn?.course.earlierTurnEnded(isOpen: link.isOpen, at: now, &effects)
  }
}
