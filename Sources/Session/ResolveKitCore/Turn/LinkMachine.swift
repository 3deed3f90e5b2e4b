/// The connection to the session: registration, the session's creation, the stream, and what is shown of them.
struct LinkMachine: Equatable, Sendable {
  /// The meaning of a created session for the machine.
  enum Arrival: Equatable {
    /// Not asked for.
    case unexpected
    /// The session in use, with a new token.
    case same
    /// Another session, in place of the one before if there was one.
    case other
  }

  /// The completeness of the log when the stream is open.
  enum Opening: Equatable {
    case complete
    /// Events may be missing, so that the history must be asked about the turn in flight.
    case withGap
  }

  /// The consequence of a refused stream.
  enum Refusal: Equatable {
    case none
    /// A new token, or a new session.
    case renewal
    case end(isBlocked: Bool)
  }

  private let sessionAttempts: Int?
  private(set) var state: LinkState = .idle
  /// The state that was published last.
  private(set) var shown: ResolveKitConnectionState = .idle
  private(set) var session: SessionRecord?
  private(set) var generation = 0
  private var replay: ReplayLog
  /// A journal was taken up and its session has not been open since: the backend does not know yet what is in it.
  private(set) var isRestored = false

  init(policy: TurnPolicy) {
    sessionAttempts = policy.sessionAttempts
    replay = ReplayLog(capacity: policy.maximumEventIDs)
  }

  /// The cursor that a new stream would send.
  var cursor: String? { replay.resumePoint }

  /// Whether a request that needs the stream goes out now.
  var isOpen: Bool { state == .open || state == .resuming }

  private mutating func show(
    _ new: ResolveKitConnectionState, attempt: Int = 0, reason: String? = nil, _ effects: inout TurnEffects
  ) {
    guard shown != new || attempt > 0 || reason != nil else { return }
    shown = new
    effects.emit(.setConnectionState(new, attempt: attempt, reason: reason))
  }

  // MARK: Registration and session

  /// Returns whether the connection starts; false while it runs.
  mutating func start(_ effects: inout TurnEffects) -> Bool {
    guard state.isOver else {
      effects.note(.ignored("a start, since the connection is running"))
      return false
    }
    session?.refusals = 0
    state = .registering
    isRestored = false
    show(.registering, &effects)
    effects.emit(.register)
    return true
  }

  mutating func registrationEnded(_ effects: inout TurnEffects) {
    guard expectsRegistration(&effects) else { return }
    state = .creatingSession(attempt: 1)
    show(.connecting, &effects)
    effects.emit(.createSession)
  }

  func expectsRegistration(_ effects: inout TurnEffects) -> Bool {
    if state == .registering { return true }
    effects.note(.ignored("a late registration"))
    return false
  }

  func arrival(of id: String, _ effects: inout TurnEffects) -> Arrival {
    guard case .creatingSession = state else {
      effects.note(.ignored("session \(id), which was not asked for"))
      return .unexpected
    }
    return session?.id == id ? .same : .other
  }

  /// The session in use has a new token. An adopted one whose history was not shown yet is adopted again.
  mutating func renew(isReused: Bool, _ effects: inout TurnEffects) {
    session?.isReused = isReused
    openStream(&effects)
  }

  /// Uses another session.
  mutating func use(_ id: String, isReused: Bool) { session = SessionRecord(id: id, isReused: isReused) }

  mutating func loadHistory(_ effects: inout TurnEffects) {
    state = .loadingHistory
    effects.emit(.loadHistory)
  }

  /// Another session takes the place of this one: its events have nothing to do with the next one's.
  mutating func leaveSession() {
    isRestored = false
    replay.reset()
  }

  /// Takes up a journal's session. Where its history was not shown yet, the session is still to be adopted.
  mutating func restore(_ image: SessionImage, id: String) {
    isRestored = true
    session = image.isHistoryKnown ? SessionRecord(id: id, isReused: true) : nil
    replay = ReplayLog(seen: image.seen, resumePoint: image.cursor)
  }

  /// Returns whether the connection ends with the failure; else the creation is tried again.
  mutating func sessionFailed(_ failure: RequestFailure, _ effects: inout TurnEffects) -> Bool {
    guard case .creatingSession(let attempt) = state else {
      effects.note(.ignored("a late session failure"))
      return false
    }
    let mayRetry = sessionAttempts.map { attempt < $0 } ?? true
    guard failure.kind == .transient, session != nil, mayRetry else { return true }
    state = .awaitingSessionRetry(attempt: attempt)
    show(.reconnecting, attempt: attempt, reason: failure.description, &effects)
    effects.emit(.retryAfterBackoff(.createSession, attempt: attempt, atLeast: failure.retryAfterSeconds))
    return false
  }

  mutating func retryDue(_ step: RetryStep, _ effects: inout TurnEffects) {
    switch (step, state) {
    case (.createSession, .awaitingSessionRetry(let attempt)):
      state = .creatingSession(attempt: attempt + 1)
      effects.emit(.createSession)
    case (.openStream, .broken): openStream(&effects)
    case (.createSession, _), (.openStream, _): effects.note(.ignored("a late retry"))
    }
  }

  /// The way to a new capability token, and to a new session if the old one is gone.
  mutating func renewSession(_ failure: RequestFailure, _ effects: inout TurnEffects) {
    switch state {
    case .creatingSession, .awaitingSessionRetry, .registering, .loadingHistory, .idle, .failed, .blocked: return
    case .opening, .open, .resuming, .broken: break
    }
    state = .creatingSession(attempt: 1)
    show(.reconnecting, reason: failure.description, &effects)
    effects.emit(.closeStream)
    effects.emit(.createSession)
  }

  /// The connection ends; only a new start helps. It is shown by ``showEnd(reason:_:)``, after what ends with it.
  mutating func end(_ end: LinkState, _ effects: inout TurnEffects) {
    state = end
    effects.emit(.closeStream)
  }

  mutating func showEnd(reason: String? = nil, _ effects: inout TurnEffects) {
    switch state {
    case .idle: show(.idle, &effects)
    case .blocked: show(.blocked, reason: reason, &effects)
    case .failed: show(.failed, reason: reason, &effects)
    case .registering, .creatingSession, .awaitingSessionRetry, .loadingHistory, .opening, .open, .resuming, .broken:
      break
    }
  }

  // MARK: Stream

  mutating func openStream(_ effects: inout TurnEffects) {
    generation += 1
    state = .opening
    effects.emit(.openStream(generation: generation, cursor: replay.resumePoint))
  }

  /// A person acts and waits for the result, which the stream brings.
  func retryStreamNow(_ effects: inout TurnEffects) {
    if case .broken = state { effects.emit(.retryStreamNow) }
  }

  /// Whether a report is of the stream in use; an older one's has no effect.
  private func isCurrent(_ other: Int, _ effects: inout TurnEffects) -> Bool {
    switch state {
    case .opening, .open, .resuming, .broken: if other == generation { return true }
    case .idle, .registering, .creatingSession, .awaitingSessionRetry, .loadingHistory, .failed, .blocked: break
    }
    effects.note(.staleStream(generation: other))
    return false
  }

  mutating func streamConnecting(_ generation: Int, attempt: Int, _ effects: inout TurnEffects) {
    guard isCurrent(generation, &effects) else { return }
    switch state {
    case .opening:
      let wasOpen = session?.wasOpen ?? false
      if attempt > 1 || wasOpen { show(wasOpen ? .reconnecting : .connecting, attempt: attempt, &effects) }
    case .broken(let reason):
      show(.reconnecting, attempt: attempt, reason: reason, &effects)
    case .resuming where attempt > 1:
      state = .broken(reason: nil)
      show(.reconnecting, attempt: attempt, &effects)
    case .resuming, .open, .idle, .registering, .creatingSession, .awaitingSessionRetry, .loadingHistory, .failed,
      .blocked:
      break
    }
  }

  /// Returns nil for a stream that is not in use.
  mutating func streamOpened(_ generation: Int, _ effects: inout TurnEffects) -> Opening? {
    guard isCurrent(generation, &effects), var record = session else { return nil }
    let isRoutine = state == .resuming
    let isResumed = record.wasOpen || record.isReused || replay.resumePoint != nil
    state = .open
    isRestored = false
    effects.countOpenedStream()
    if !isRoutine { show(isResumed ? .reconnected : .active, &effects) }
    record.wasOpen = true
    record.refusals = 0
    record.passingRefusals = 0
    let hasGap = record.hasGap
    record.hasGap = false
    session = record
    return hasGap ? .withGap : .complete
  }

  mutating func streamEnded(_ generation: Int, isRoutine: Bool, reason: String?, _ effects: inout TurnEffects) {
    guard isCurrent(generation, &effects) else { return }
    if isRoutine, isOpen {
      state = .resuming
      return
    }
    state = .broken(reason: reason)
    let wasOpen = session?.wasOpen ?? false
    show(wasOpen ? .reconnecting : .connecting, reason: reason ?? "the stream ended", &effects)
  }

  mutating func streamRefused(
    _ generation: Int, _ failure: RequestFailure, _ effects: inout TurnEffects
  ) -> Refusal {
    guard isCurrent(generation, &effects), var record = session else { return .none }
    if failure.kind == .transient {
      record.passingRefusals += 1
      session = record
      state = .broken(reason: failure.description)
      show(.reconnecting, attempt: record.passingRefusals, reason: failure.description, &effects)
      effects.emit(
        .retryAfterBackoff(.openStream, attempt: record.passingRefusals, atLeast: failure.retryAfterSeconds))
      return .none
    }
    record.refusals += 1
    session = record
    // A cursor from before the retention floor, or one the backend cannot read, is no fault of the session.
    let namesCursor = failure.code?.contains("cursor") ?? false
    let blamesCursor = failure.status == 422 || failure.status == 400 || namesCursor
    switch failure.kind {
    case .sessionRefused where record.refusals == 1 && !namesCursor:
      return .renewal
    // A key or a token that is refused says nothing about the cursor.
    case .sessionRefused where !failure.isBlocking && replay.resumePoint != nil && record.refusals <= 2,
      .final where replay.resumePoint != nil && blamesCursor:
      reopenFromStart(failure, &effects)
      return .none
    case .sessionRefused, .final, .conflict, .transient:
      return .end(isBlocked: failure.isBlocking)
    }
  }

  /// Everything the backend keeps is replayed; known events stay suppressed, and the history fills what is missing.
  private mutating func reopenFromStart(_ failure: RequestFailure, _ effects: inout TurnEffects) {
    replay.dropCursor()
    effects.remember(.cursorDropped)
    session?.hasGap = true
    effects.note(.gap(reason: failure.description))
    show(.reconnecting, reason: failure.description, &effects)
    openStream(&effects)
  }

  // MARK: Events

  /// Takes an event into the log. Returns its envelope and its id if it is to be applied; ``advance(to:_:)`` follows then.
  mutating func take(
    _ event: StreamEvent, _ effects: inout TurnEffects
  ) -> (envelope: ResolveKitEnvelope, id: String?)? {
    guard isCurrent(event.generation, &effects) else { return nil }
    if shown == .reconnected { show(.active, &effects) }
    return replay.take(event, &effects)
  }

  /// The event's effects are done: a new stream begins after it.
  mutating func advance(to id: String?, _ effects: inout TurnEffects) { replay.commit(id, &effects) }
}
