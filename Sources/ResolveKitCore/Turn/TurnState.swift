/// The turn in flight.
struct TurnState: Equatable, Sendable {
  enum Phase: Equatable, Sendable {
    /// Not posted yet, or to be posted again as soon as the stream is open.
    case waiting
    case posting
    /// To be posted again after a pause.
    case paused
    /// Accepted, or at least heard of on the stream.
    case running
  }

  let message: OutgoingMessage
  var phase: Phase = .waiting
  var attempts = 0
  /// An attempt ended without an answer: the backend may run the turn all the same.
  var isUncertain = false
  /// Taken up from a journal.
  var isRestored = false
  /// The session was re-created for the sake of this message; a second refusal is final.
  var sessionWasRenewed = false
  var turnID: String?
  var text = ""
  var startedAt: MonotonicNanoseconds
  var lastActivity: MonotonicNanoseconds
  var awaitsHistory = false

  init(message: OutgoingMessage, at now: MonotonicNanoseconds) {
    self.message = message
    startedAt = now
    lastActivity = now
  }

  var requestID: String { message.requestID }

  /// The turn's id, or the message's where the backend has not named the turn.
  var knownID: String { turnID ?? requestID }

  var reference: TurnReference { TurnReference(requestID: requestID, turnID: turnID) }
}
