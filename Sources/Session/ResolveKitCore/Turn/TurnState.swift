/// The turn in flight.
struct TurnState: Equatable, Sendable {
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
    /// Accepted, or at least heard of on the stream.
    case running
  }

  /// An obstacle that has kept the message from becoming a turn.
  enum Obstacle: Equatable, Sendable {
    case none
    /// So many tries in a row failed for reasons that pass.
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
    /// It may be the message, or one before it that has the same words.
    case ambiguous
  }

  let message: OutgoingMessage
  var phase: Phase = .waiting(.post)
  var obstacle: Obstacle = .none
  /// When the first post was made that ended without an answer: the backend may run the turn all the same.
  var uncertainSince: MonotonicNanoseconds?
  /// One of these, or none, is the session's message before this one; nil where that is not known.
  var earlier: [String]?
  /// Taken up from a journal.
  var isRestored = false
  /// The session was re-created for the sake of this message; a second refusal is final.
  var sessionWasRenewed = false
  var turnID: String?
  var text = ""
  var startedAt: MonotonicNanoseconds
  var lastActivity: MonotonicNanoseconds
  /// Periods of the watchdog in which the stream was open and nothing was heard of the turn.
  var silentPeriods = 0
  var awaitsHistory = false

  init(message: OutgoingMessage, after earlier: [String]?, at now: MonotonicNanoseconds) {
    self.message = message
    self.earlier = earlier
    startedAt = now
    lastActivity = now
  }

  var requestID: String { message.requestID }

  /// The turn's id, or the message's where the backend has not named the turn.
  var knownID: String { turnID ?? requestID }

  var reference: TurnReference { TurnReference(requestID: requestID, turnID: turnID) }

  /// The knowledge of the message if it were left now.
  var arrival: LeftMessage.Arrival {
    switch phase {
    case .running: .ended
    case .posting(let since): .unknown(since: uncertainSince ?? since)
    case .waiting, .asking, .paused: uncertainSince.map { .unknown(since: $0) } ?? .no
    }
  }

  /// Looks for the message among those that came after the last one that is known. Messages carry no request id.
  func finding(in history: [HistoryMessage]) -> Finding {
    for entry in history.reversed() where entry.role == "user" {
      if entry.content.hasSameBytes(as: message.text) { return isAmong(earlier) ? .ambiguous : .present }
      guard let earlier, !earlier.contains(where: { $0.hasSameBytes(as: entry.content) }) else { return .absent }
    }
    return .absent
  }

  private func isAmong(_ words: [String]?) -> Bool {
    words?.contains { $0.hasSameBytes(as: message.text) } ?? true
  }
}
