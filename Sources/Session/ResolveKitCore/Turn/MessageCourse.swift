/// The way of one message to becoming a turn: it is posted once the stream is open, tried again while that can be of use,
/// and asked about in the history where another post could make it a second message.
struct MessageCourse: Equatable, Sendable {
  /// The next step for the message.
  enum Step: Equatable, Sendable {
    case post
    /// Ask the history whether it has arrived.
    case ask
  }

  enum Phase: Equatable, Sendable {
    /// The step is taken as soon as the stream is open.
    case waiting(Step)
    case posting(since: MonotonicNanoseconds)
    case asking
    /// The step is taken after a pause. One that the server ordered (`Retry-After`) is not shortened.
    case paused(Step, orderedUntil: MonotonicNanoseconds?)
    /// Accepted, or at least seen on the stream.
    case running
  }

  /// An obstacle that has kept the message from becoming a turn.
  private enum Obstacle: Equatable, Sendable {
    case none
    /// The number of tries in a row that failed for reasons that pass.
    case failures(Int)
    /// The backend runs an earlier turn, which it first said at `since` (409). So many tries have failed from then on,
    /// for this reason or for one that passes.
    case earlierTurn(since: MonotonicNanoseconds, tries: Int)

    var tries: Int {
      switch self {
      case .none: 0
      case .failures(let tries), .earlierTurn(_, let tries): tries
      }
    }
  }

  /// A history's finding on the message.
  enum Finding: Equatable, Sendable {
    case present
    case absent
    /// The message, or one before it that has the same text.
    case ambiguous
  }

  /// The consequence of an answer for the turn and the connection.
  enum Outcome: Equatable, Sendable {
    /// The message continues.
    case continues
    /// The message has arrived.
    case arrived
    /// The session is re-created for the sake of this message.
    case renewsSession(RequestFailure)
    /// The turn has failed.
    case failed(RequestFailure)
    /// The turn has failed, and so would every other.
    case blocked(RequestFailure)
  }

  let message: OutgoingMessage
  private let policy: TurnPolicy
  private(set) var phase: Phase = .waiting(.post)
  private var obstacle: Obstacle = .none
  /// The time of the first post that ended without an answer: the backend may run the turn all the same.
  private var uncertainSince: MonotonicNanoseconds?
  /// One of these, or none, is the session's message before this one; nil where that is not known.
  private(set) var earlier: [String]?
  /// The session was re-created for the sake of this message; a second refusal is final.
  private var sessionWasRenewed = false

  /// - Parameter uncertainSince: when it was posted without an answer; nil where it was not.
  init(
    _ message: OutgoingMessage, after earlier: [String]?, uncertainSince: MonotonicNanoseconds? = nil,
    policy: TurnPolicy
  ) {
    self.message = message
    self.earlier = earlier
    self.uncertainSince = uncertainSince
    self.policy = policy
  }

  /// The knowledge of the message if it were left now.
  var arrival: LeftMessage.Arrival {
    switch phase {
    case .running: .ended
    case .posting(let since): .unknown(since: uncertainSince ?? since)
    case .waiting, .asking, .paused: uncertainSince.map { .unknown(since: $0) } ?? .no
    }
  }

  /// Whether a deadline for the next try is set.
  var isPaused: Bool { if case .paused = phase { true } else { false } }

  // MARK: Steps

  /// Takes a step now, or once the stream is open: a backend may lose the first event of a session without a reader,
  /// and tries count only while they can succeed.
  mutating func take(_ step: Step, isOpen: Bool, at now: MonotonicNanoseconds, _ effects: inout TurnEffects) {
    guard isOpen else { return phase = .waiting(step) }
    switch isForgotten(at: now) ? .ask : step {
    case .post:
      phase = .posting(since: now)
      effects.emit(.postMessage(message))
    case .ask:
      phase = .asking
      effects.emit(.loadHistory)
    }
  }

  /// Whether the backend may have forgotten the message's id, so that another post could be another message.
  private func isForgotten(at now: MonotonicNanoseconds) -> Bool {
    uncertainSince.map { now >= $0.advanced(bySeconds: policy.repostSeconds) } ?? false
  }

  /// The stream is open: what waited for it goes out.
  mutating func streamOpened(at now: MonotonicNanoseconds, _ effects: inout TurnEffects) {
    switch phase {
    case .waiting(let step): take(step, isOpen: true, at: now, &effects)
    case .paused: endPause(isOpen: true, at: now, &effects)
    case .posting, .asking, .running: break
    }
  }

  /// The pause is over.
  mutating func retry(isOpen: Bool, at now: MonotonicNanoseconds, _ effects: inout TurnEffects) {
    guard case .paused(let step, _) = phase else { return }
    cancelRetry(&effects)
    take(step, isOpen: isOpen, at: now, &effects)
  }

  /// Another turn has ended on the backend: a message that waits for that may go.
  mutating func earlierTurnEnded(isOpen: Bool, at now: MonotonicNanoseconds, _ effects: inout TurnEffects) {
    if case .earlierTurn = obstacle { endPause(isOpen: isOpen, at: now, &effects) }
  }

  private mutating func endPause(isOpen: Bool, at now: MonotonicNanoseconds, _ effects: inout TurnEffects) {
    guard case .paused(_, let orderedUntil) = phase else { return }
    if let orderedUntil, now < orderedUntil { return }
    retry(isOpen: isOpen, at: now, &effects)
  }

  private func cancelRetry(_ effects: inout TurnEffects) {
    effects.emit(.cancelDeadline(.messageRetry(requestID: message.requestID)))
  }

  /// The turn has appeared, so the message is no longer to be posted. Returns whether it had not appeared before.
  @discardableResult
  mutating func turnAppeared() -> Bool {
    defer { phase = .running }
    return phase != .running
  }

  // MARK: Failures

  /// A post failed.
  ///
  /// - Parameter mayHaveArrived: whether the backend may run its turn all the same.
  mutating func postFailed(
    _ failure: RequestFailure, mayHaveArrived: Bool, at now: MonotonicNanoseconds, _ effects: inout TurnEffects
  ) -> Outcome {
    // Events of the turn came before the answer to its message: the message has arrived.
    guard case .posting(let since) = phase else { return .continues }
    if mayHaveArrived { uncertainSince = uncertainSince ?? since }
    phase = .waiting(.post)
    return tryFailed(.post, failure, at: now, &effects)
  }

  /// The history could not be asked whether the message has arrived.
  mutating func questionFailed(
    _ failure: RequestFailure, at now: MonotonicNanoseconds, _ effects: inout TurnEffects
  ) -> Outcome {
    phase = .waiting(.ask)
    return tryFailed(.ask, failure, at: now, &effects)
  }

  private mutating func tryFailed(
    _ step: Step, _ failure: RequestFailure, at now: MonotonicNanoseconds, _ effects: inout TurnEffects
  ) -> Outcome {
    switch failure.kind {
    case .transient:
      countFailure()
      return pause(before: step, failure, at: now, &effects)
    case .conflict:
      hold(at: now, &effects)
      // Look-up and lock are not atomic on every backend: the running turn may be this one.
      return pause(before: uncertainSince == nil ? .post : .ask, failure, at: now, &effects)
    case .sessionRefused where !sessionWasRenewed:
      sessionWasRenewed = true
      return .renewsSession(failure)
    // It has become no turn.
    case .final where failure.isBlocking:
      return .blocked(failure)
    case .sessionRefused, .final:
      return .failed(failure)
    }
  }

  private mutating func countFailure() {
    switch obstacle {
    case .none, .failures: obstacle = .failures(obstacle.tries + 1)
    case .earlierTurn(let since, let tries): obstacle = .earlierTurn(since: since, tries: tries + 1)
    }
  }

  /// The backend runs another turn, whichever that is: what ended here since the post may have run there when it came.
  private mutating func hold(at now: MonotonicNanoseconds, _ effects: inout TurnEffects) {
    switch obstacle {
    case .earlierTurn: countFailure()
    case .none, .failures:
      obstacle = .earlierTurn(since: now, tries: 1)
      effects.emit(.showDelivery(message, .held))
    }
  }

  private mutating func pause(
    before step: Step, _ failure: RequestFailure, at now: MonotonicNanoseconds, _ effects: inout TurnEffects
  ) -> Outcome {
    switch obstacle {
    case .none: break
    case .failures(let tries):
      guard tries < policy.messageAttempts else { return .failed(failure) }
    case .earlierTurn(let since, _):
      guard now < since.advanced(bySeconds: policy.giveUpSeconds) else {
        let reason = "An earlier turn has held the message back for \(policy.giveUpSeconds) s."
        return .failed(RequestFailure(status: 409, code: "turn_in_progress", message: reason))
      }
    }
    let ordered = failure.retryAfterSeconds
    let seconds = max(1 << min(max(obstacle.tries - 1, 0), 4), ordered ?? 0)
    phase = .paused(step, orderedUntil: ordered.map { now.advanced(bySeconds: $0) })
    effects.note(.retrying("message in \(seconds) s: \(failure)"))
    let retry = TurnDeadline.messageRetry(requestID: message.requestID)
    effects.emit(.scheduleDeadline(retry, at: now.advanced(bySeconds: seconds)))
    return .continues
  }

  // MARK: The history

  /// The messages before this one became known.
  mutating func know(earlier words: [String]?) { earlier = words }

  /// Takes the history's evidence on a message that may have arrived.
  mutating func judge(
    by history: [HistoryMessage], isOpen: Bool, at now: MonotonicNanoseconds, _ effects: inout TurnEffects
  ) -> Outcome {
    guard phase == .asking else { return .continues }
    phase = .waiting(.ask)
    switch finding(in: history) {
    case .present: return .arrived
    case .absent: uncertainSince = nil
    // While the backend knows its id, the message is no other one.
    case .ambiguous where !isForgotten(at: now): break
    case .ambiguous:
      let reason = "It is not known whether the message arrived. Look at the conversation, and send it again if not."
      return .failed(RequestFailure(code: "unknown_fate", message: reason))
    }
    take(.post, isOpen: isOpen, at: now, &effects)
    return .continues
  }

  /// Looks for the message among those that came after the last one that is known. Messages carry no request id.
  private func finding(in history: [HistoryMessage]) -> Finding {
    for entry in history.reversed() where entry.role == "user" {
      if entry.content.hasSameBytes(as: message.text) { return isAmong(earlier) ? .ambiguous : .present }
      guard let earlier, !earlier.contains(where: { $0.hasSameBytes(as: entry.content) }) else { return .absent }
    }
    return .absent
  }

  private func isAmong(_ words: [String]?) -> Bool {
    words?.contains { $0.hasSameBytes(as: message.text) } ?? true
  }

  /// The message goes to another session, which knows nothing of it.
  mutating func moveToNewSession(_ effects: inout TurnEffects) {
    uncertainSince = nil
    earlier = nil
    obstacle = .none
    switch phase {
    case .paused:
      cancelRetry(&effects)
      phase = .waiting(.post)
    case .waiting, .asking: phase = .waiting(.post)
    case .posting, .running: break
    }
  }
}
