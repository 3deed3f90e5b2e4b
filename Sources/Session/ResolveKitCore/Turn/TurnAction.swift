/// An action for the shell to perform, in order.
package enum TurnAction: Equatable, Sendable {
  // Connection
  /// Publish the state; `attempt` counts tries since the stream was last open, 0 while it is.
  case setConnectionState(ResolveKitConnectionState, attempt: Int, reason: String?)
  /// Check compatibility and register the functions, then `registered` or `registrationFailed`.
  case register
  /// `POST /v1/sessions`, then `sessionCreated` or `sessionFailed`. The token stays with the shell.
  case createSession
  /// Close the stream of any older generation, then open this one; the shell retries it by itself.
  case openStream(generation: Int, cursor: String?)
  case closeStream
  /// A person waits: where the shell waits before it tries the stream again, it does so as soon as it may.
  case retryStreamNow
  /// Wait for the back-off of that attempt (1 is the first), `atLeast` the seconds that the server asked for, then
  /// `retryDue`.
  case retryAfterBackoff(RetryStep, attempt: Int, atLeast: Int? = nil)

  // The log
  /// The event counts as applied by what follows; for transcripts.
  case eventApplied(ResolveKitEnvelope, id: String?, arrivedAt: MonotonicNanoseconds)
  /// All effects of that event precede this action: the cursor may be kept.
  case advanceCursor(String)

  // The turn
  /// `POST …/messages`, then `messageAccepted`, `messageFailed` or `messageNotPosted`.
  case postMessage(OutgoingMessage)
  /// Ask the backend to stop a cancelled turn; whether it can and does is not waited for.
  case stopTurn(turnID: String)
  /// The message was not taken; show why.
  case refuseMessage(requestID: String, reason: String)
  /// The message is held back, or has not become a turn; for those who watch.
  case showDelivery(OutgoingMessage, ResolveKitMessageDelivery)
  /// The backend's id of the turn became known.
  case turnIdentified(requestID: String, turnID: String)
  case appendText(turnID: String, String)
  /// The shown text was wrong; this is the right one.
  case replaceText(turnID: String, String)
  case turnFinished(TurnResult)

  // Tools
  /// A batch changed; for the checklist.
  case showBatch(ToolCallChecklistBatch)
  /// One call changed its status; for transcripts.
  case toolStatusChanged(ToolCallKey, functionName: String, ToolCallItemStatus)
  /// Ask the app's policy about a call that needs approval, then `policyDecided`.
  case consultPolicy(ToolCall)
  /// Ask a person about these calls, all of which wait, then `approvalDecided`. Takes the place of an earlier question
  /// about the same batch.
  case askApproval(ResolveKitApprovalRequest)
  /// The question is over, by a decision or without one.
  case withdrawApproval(batchID: Int)
  /// Keep the decision beyond the program's end.
  case keepApproval(StandingApproval)
  /// Run the tool, then `toolFinished`. Never asked twice for a key.
  case startTool(ToolCall)
  /// Cancel the tool's task; its outcome no longer matters, but `toolFinished` is still reported when it has returned.
  case cancelTool(ToolCallKey)
  /// `POST …/tool-results` with exactly these values, then `resultAccepted` or `resultFailed`.
  case deliverResult(ToolCallKey, ResolveKitToolResultPayload)
  /// The final outcome of a result's delivery.
  case resultSettled(ToolCallKey, ResultDelivery)

  // Beside the turn
  /// `GET …/messages`, then `historyLoaded` or `historyFailed`.
  case loadHistory
  /// Messages of an adopted session, in order.
  case showHistory([HistoryMessage])
  /// The answer of a turn that is not ours: history, or another program on the same session.
  case showForeignAnswer(turnID: String, text: String)
  case showHumanMessage(messageID: String?, text: String)
  case sessionEscalated(reason: String)
  /// A request for feedback, with the delay that the server asked for.
  case feedbackRequested(immediate: Bool, timestamp: String?)

  // Time and log
  /// Report `deadlinePassed` at that moment; replaces an earlier request of the same name.
  case scheduleDeadline(TurnDeadline, at: MonotonicNanoseconds)
  case cancelDeadline(TurnDeadline)
  case note(TurnNote)

  /// Whether the event's record must be on the disk first, since this acts on the world.
  package var needsDurability: Bool {
    switch self {
    case .postMessage, .startTool, .deliverResult: true
    case .setConnectionState, .register, .createSession, .openStream, .closeStream, .retryStreamNow, .retryAfterBackoff,
      .eventApplied,
      .advanceCursor, .stopTurn, .refuseMessage, .showDelivery, .turnIdentified, .appendText, .replaceText,
      .turnFinished, .showBatch,
      .toolStatusChanged, .consultPolicy, .askApproval, .withdrawApproval, .keepApproval, .cancelTool, .resultSettled,
      .loadHistory, .showHistory,
      .showForeignAnswer, .showHumanMessage, .sessionEscalated, .feedbackRequested, .scheduleDeadline, .cancelDeadline,
      .note:
      false
    }
  }
}
