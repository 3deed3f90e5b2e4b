/// One durable fact about a session. Applied in order to an empty ``SessionImage``, a journal's entries give its state.
package enum JournalEntry: Codable, Equatable, Sendable {
  /// The owner of a session: the server's base URL, and the device id that it was created with.
  case origin(server: String, deviceID: String)
  /// The session that everything after this belongs to.
  case session(id: String)
  /// The stored messages of an adopted session; empty for a session that began here.
  case history([HistoryMessage])

  /// The user's message was taken: a turn is in flight.
  case message(OutgoingMessage, at: MonotonicNanoseconds)
  /// The backend knows the turn in flight.
  case heard(turnID: String?)
  /// The answer of the turn in flight grew by this.
  case text(String)
  /// This is the whole answer of the turn in flight; what was shown before was wrong.
  case correctedText(String)
  case turnFinished(TurnResult.Status, reason: String?)
  /// The fate of the last message, whose turn ended without an answer; nil: it was answered after all.
  case leftMessage(requestID: String, LeftMessage.Arrival?)
  /// A cancelled turn that the backend still runs; again with its id, once that is known.
  case abandoned(TurnReference)
  case abandonedEnded(requestID: String, turnID: String?)

  case call(ToolCall)
  /// The tool is about to start. It holds the whole call, so that it counts even where the call's own record is lost.
  case intended(ToolCall)
  /// The result is fixed.
  case result(ToolCallKey, ResolveKitToolResultPayload, ToolCallItemStatus)
  /// The final outcome of the result's delivery.
  case settled(ToolCallKey, ResultDelivery, at: MonotonicNanoseconds)

  /// The answer of a turn that is not ours; not shown where the history had it.
  case foreignTurn(id: String, text: String, isShown: Bool)
  case humanMessage(id: String?, text: String)
  case escalated(reason: String)

  /// An event of the log took effect, by what stands beside this in the same record: the cursor.
  case applied(eventID: String)
  /// The backend refused the cursor; the next stream replays all that is kept.
  case cursorDropped
  /// All of the above in one: what compaction leaves.
  case image(SessionImage)

  /// Whether the record must reach the disk before anything is done about it. What is left out comes again with the
  /// event stream, since the cursor is lost with it.
  package var isDurable: Bool {
    switch self {
    case .origin, .session, .message, .intended, .result, .turnFinished, .abandoned, .image: true
    case .leftMessage, .history, .heard, .text, .correctedText, .abandonedEnded, .call, .settled, .foreignTurn,
      .humanMessage,
      .escalated, .applied, .cursorDropped:
      false
    }
  }
}
