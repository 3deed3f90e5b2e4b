// The life of the stream, and the way of one event into the log.
extension TurnMachine {
  private mutating func isCurrent(_ other: Int) -> Bool {
    guard other == generation else {
      note(.staleStream(generation: other))
      return false
    }
    switch link {
    case .opening, .open, .resuming, .broken: return true
    case .idle, .registering, .creatingSession, .awaitingSessionRetry, .loadingHistory, .failed, .blocked:
      note(.staleStream(generation: other))
      return false
    }
  }

  mutating func streamConnecting(_ generation: Int, attempt: Int) {
    guard isCurrent(generation) else { return }
    switch link {
    case .opening:
      let wasOpen = session?.wasOpen ?? false
      if attempt > 1 || wasOpen { show(wasOpen ? .reconnecting : .connecting, attempt: attempt) }
    case .broken(let reason):
      show(.reconnecting, attempt: attempt, reason: reason)
    case .resuming where attempt > 1:
      link = .broken(reason: nil)
      show(.reconnecting, attempt: attempt)
    case .resuming, .open, .idle, .registering, .creatingSession, .awaitingSessionRetry, .loadingHistory, .failed,
      .blocked:
      break
    }
  }

  mutating func streamOpened(_ generation: Int, at now: MonotonicNanoseconds) {
    guard isCurrent(generation), var record = session else { return }
    let isRoutine = link == .resuming
    let isResumed = record.wasOpen || record.isReused || replay.resumePoint != nil
    link = .open
    isRestored = false
    statistics.streamsOpened += 1
    if !isRoutine { show(isResumed ? .reconnected : .active) }
    record.wasOpen = true
    record.refusals = 0
    record.passingRefusals = 0
    let hasGap = record.hasGap
    record.hasGap = false
    session = record
    readmitCalls(at: now)
    resumeTurn(at: now)
    if hasGap { askHistory() }
    redeliverResults()
  }

  mutating func streamEnded(_ generation: Int, isRoutine: Bool, reason: String?) {
    guard isCurrent(generation) else { return }
    if isRoutine, link == .open || link == .resuming {
      link = .resuming
      return
    }
    link = .broken(reason: reason)
    let wasOpen = session?.wasOpen ?? false
    show(wasOpen ? .reconnecting : .connecting, reason: reason ?? "the stream ended")
  }

  mutating func streamRefused(_ generation: Int, _ failure: RequestFailure) {
    guard isCurrent(generation), var record = session else { return }
    if failure.kind == .transient {
      record.passingRefusals += 1
      session = record
      link = .broken(reason: failure.description)
      show(.reconnecting, attempt: record.passingRefusals, reason: failure.description)
      return emit(
        .retryAfterBackoff(
          .openStream, attempt: record.passingRefusals, atLeast: failure.retryAfterSeconds))
    }
    record.refusals += 1
    session = record
    // A cursor from before the retention floor, or one the backend cannot read, is no fault of the session.
    let namesCursor = failure.code?.contains("cursor") ?? false
    let blamesCursor = failure.status == 422 || failure.status == 400 || namesCursor
    switch failure.kind {
    case .sessionRefused where record.refusals == 1 && !namesCursor:
      renewSession(failure)
    // A key or a token that is refused says nothing about the cursor.
    case .sessionRefused where !failure.isBlocking && replay.resumePoint != nil && record.refusals <= 2,
      .final where replay.resumePoint != nil && blamesCursor:
      reopenFromStart(failure)
    case .sessionRefused, .final, .conflict, .transient:
      giveUp(failure, isBlocked: failure.isBlocking)
    }
  }

  /// Everything the backend keeps is replayed; known events stay suppressed, and the history fills what is missing.
  private mutating func reopenFromStart(_ failure: RequestFailure) {
    replay.dropCursor()
    remember(.cursorDropped)
    session?.hasGap = true
    statistics.gaps += 1
    note(.gap(reason: failure.description))
    show(.reconnecting, reason: failure.description)
    openStream()
  }

  mutating func streamEvent(_ event: StreamEvent) {
    guard isCurrent(event.generation) else { return }
    if connectionState == .reconnected { show(.active) }
    let streamID = event.id.isEmpty ? nil : event.id
    if let streamID, !isNew(streamID) { return }
    // WHATWG: an empty `data:` is an event; here it only commits its id.
    guard !event.data.isEmpty else { return advance(to: streamID) }
    let envelope: ResolveKitEnvelope
    do {
      envelope = try ResolveKitEnvelope(parsing: event.data, fallbackType: event.type)
    } catch {
      statistics.poisonEvents += 1
      note(.poisonEvent(id: event.id, reason: "\(error)"))
      return advance(to: streamID)
    }
    if let streamID, let other = envelope.eventID, !other.hasSameBytes(as: streamID) {
      note(.idMismatch(streamID: streamID, envelopeID: other))
    }
    if streamID == nil, let id = envelope.eventID, !isNew(id) { return }
    let id = streamID ?? envelope.eventID
    emit(.eventApplied(AppliedEvent(eventID: id, envelope: envelope, arrivedAt: event.arrivedAt)))
    apply(envelope, eventID: id, at: event.arrivedAt)
    advance(to: id)
  }

  private mutating func isNew(_ id: String) -> Bool {
    if replay.accept(id) { return true }
    statistics.duplicatesDropped += 1
    note(.duplicateEvent(id: id))
    return false
  }

  private mutating func advance(to id: String?) {
    guard let id, !id.isEmpty else { return }
    replay.advance(to: id)
    remember(.applied(eventID: id))
    emit(.advanceCursor(id))
  }
}
