public import ResolveKitCore
public import StreamTransport

/// Something that happened in a runtime, in the order in which it happened: what a log or a terminal prints.
public enum ResolveKitRuntimeUpdate: Equatable, Sendable {
  /// The connection has a new state, or an attempt to connect begins.
  case connection(ResolveKitConnectionUpdate)
  /// A session is there; comes before any event of it.
  case session(id: String, transport: TransportKind)
  /// The server no longer has the session of what was said so far: a new one takes its place, whose model knows nothing of
  /// that. Comes before the new session. `ResolveKitRuntime.recallForgottenMessages()` sends it along.
  case forgotten(sessionID: String)
  /// An event was applied.
  case event(ResolveKitAppliedEvent)
  /// An event could not be read; it was skipped, and the stream continued after it.
  case skippedEvent(id: String, reason: String)
  /// A message of this runtime was taken, and is on its way.
  case turnStarted(requestID: String, text: String)
  /// A message is held back by an earlier turn, or its turn has ended without it; comes for a message of an earlier process
  /// too, where that one could not send it. `ResolveKitRuntime.retryMessage()` tries it again.
  case delivery(requestID: String, text: String, ResolveKitMessageDelivery)
  /// The assistant wrote more of a turn's answer.
  case text(turnID: String, appended: String)
  /// A correction of a turn's answer; this is all of it.
  case textCorrected(turnID: String, text: String)
  /// A batch of tool calls is new or has changed.
  case batch(ToolCallChecklistBatch)
  /// Calls wait for a person's decision. Comes again with those that are left when some of them no longer wait.
  case approvalNeeded(ResolveKitApprovalRequest)
  /// The question is over: it was answered, the calls' time is up, or their turn has ended.
  case approvalWithdrawn(batchID: Int)
  /// A call of a tool has a new status.
  case tool(callID: String, name: String, status: ToolCallItemStatus)
  /// A message that belongs to no turn of this runtime: history, a person at the other end, or another program.
  case message(ResolveKitChatMessage)
  /// The conversation was handed over to a person.
  case escalated(reason: String)
  /// The server asks, or no longer asks, for a rating of the session.
  case feedback(isRequested: Bool)
  /// The chat's words: those that the session came with, and those of another locale.
  case localized(ResolveKitChatLocalization)
  /// The chat's colours.
  case themed(ResolveKitChatTheme)
  /// A line for a log.
  case note(String)
  /// A turn has ended.
  case turn(ResolveKitFinishedTurn)
}
