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
  /// When an attempt first ended without an answer: the backend may run the turn all the same.
  var uncertainSince: MonotonicNanoseconds?
  /// The message before it has the same words: the history can't tell which of the two it holds.
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

  /// - Parameter lastWords: The session's message before it, where it is known.
  init(message: OutgoingMessage, after lastWords: String?, at now: MonotonicNanoseconds) {
    self.message = message
    startedAt = now
    lastActivity = now
    follow(lastWords)
  }

  /// These are the words before the message, if any is known.
  mutating func follow(_ words: String?) { repeatsWords = words?.hasSameBytes(as: message.text) ?? false }

  var requestID: String { message.requestID }

  var isUncertain: Bool { uncertainSince != nil }

  /// The turn's id, or the message's where the backend has not named the turn.
  var knownID: String { turnID ?? requestID }

  var reference: TurnReference { TurnReference(requestID: requestID, turnID: turnID) }
}
