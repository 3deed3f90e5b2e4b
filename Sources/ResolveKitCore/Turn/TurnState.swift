/// The turn in flight.
struct TurnState: Equatable, Sendable {
  enum Phase: Equatable, Sendable {
    /// Not posted yet, or to be posted again as soon as the stream is open.
    case waiting
    case posting
    /// The history is asked whether it has arrived.
    case asking
    /// To be posted again after a pause.
    case paused
    /// Accepted, or at least heard of on the stream.
    case running
  }

  let message: OutgoingMessage
  var phase: Phase = .waiting
  var attempts = 0
  /// When it was posted last.
  var postedAt: MonotonicNanoseconds?
  /// When the first attempt was made that ended without an answer: the backend may run the turn all the same.
  var uncertainSince: MonotonicNanoseconds?
  /// The message before it may have the same words: the history can't tell which of the two it holds.
  private(set) var repeatsWords = false
  /// Taken up from a journal.
  var isRestored = false
  /// The session was re-created for the sake of this message; a second refusal is final.
  var sessionWasRenewed = false
  var turnID: String?
  var text = ""
  var startedAt: MonotonicNanoseconds
  var lastActivity: MonotonicNanoseconds
  var awaitsHistory = false

  init(message: OutgoingMessage, after earlier: [String]?, at now: MonotonicNanoseconds) {
    self.message = message
    startedAt = now
    lastActivity = now
    follow(earlier)
  }

  /// One of these, or none, is the session's message before it; nil where that is not known.
  mutating func follow(_ earlier: [String]?) {
    repeatsWords = earlier.map { $0.contains { $0.hasSameBytes(as: message.text) } } ?? true
  }

  var requestID: String { message.requestID }

  var isUncertain: Bool { uncertainSince != nil }

  /// The turn's id, or the message's where the backend has not named the turn.
  var knownID: String { turnID ?? requestID }

  var reference: TurnReference { TurnReference(requestID: requestID, turnID: turnID) }
}
