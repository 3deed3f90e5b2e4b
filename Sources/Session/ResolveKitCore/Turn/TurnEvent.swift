/// All that can happen to a session, as the shell reports it. Codable, so that a journal of events replays a machine.
package enum TurnEvent: Codable, Equatable, Sendable {
  // Life of the connection
  /// The program wants to talk; `tools` are the functions it can run.
  case startRequested(tools: [ToolPolicy])
  /// Compatibility was checked and the functions were registered.
  case registered
  /// Registration or the compatibility check failed; `isFinal`: no key, or an incompatible version.
  case registrationFailed(RequestFailure, isFinal: Bool)
  case sessionCreated(sessionID: String, isReused: Bool)
  case sessionFailed(RequestFailure)
  /// The back-off asked for by `retryAfterBackoff` is over.
  case retryDue(RetryStep)
  case stopRequested
  /// The state that the journal of an earlier process holds. Comes after the start, before the session's creation ends.
  case restored(SessionImage, at: MonotonicNanoseconds)
  /// Nothing can be kept any more, so no tool may be started.
  case journalFailed(RequestFailure)

  // The event stream; events of an older generation have no effect
  case streamConnecting(generation: Int, attempt: Int)
  case streamOpened(generation: Int, at: MonotonicNanoseconds)
  case streamEvent(StreamEvent)
  /// The stream ended and is tried again by the shell; a clean end that is resumed at once is routine.
  case streamEnded(generation: Int, isClean: Bool, reason: String?, resumesAtOnce: Bool)
  /// The stream was answered with something else than an event stream, and is not tried again.
  case streamRefused(generation: Int, RequestFailure)

  // The turn
  case sendRequested(OutgoingMessage, at: MonotonicNanoseconds)
  case messageAccepted(requestID: String, turnID: String, at: MonotonicNanoseconds)
  case messageFailed(requestID: String, RequestFailure, at: MonotonicNanoseconds)
  /// A step before the message failed, so that it was not posted.
  case messageNotPosted(requestID: String, RequestFailure, at: MonotonicNanoseconds)
  case cancelRequested(at: MonotonicNanoseconds)

  // Tools
  /// A decision on the calls of a question as it was shown; `only` names single ones, nil means all of them.
  case approvalDecided(
    ApprovalDecision, on: ResolveKitApprovalRequest, only: [String]?, at: MonotonicNanoseconds)
  /// The verdict of the app's policy on one call; nil leaves it to earlier decisions and to a person.
  case policyDecided(ToolCallKey, ApprovalVerdict?, at: MonotonicNanoseconds)
  /// All decisions that outlive the program, as they are kept now.
  case standingApprovalsChanged([StandingApproval], at: MonotonicNanoseconds)
  /// A running tool reported its progress.
  case toolProgressed(ToolCallKey, ResolveKitToolProgress)
  /// The tool's body has returned, also where its call was cancelled long before: only then its place is free.
  case toolFinished(ToolCallKey, ToolOutcome, at: MonotonicNanoseconds)
  case resultAccepted(ToolCallKey, deduplicated: Bool, at: MonotonicNanoseconds)
  case resultFailed(ToolCallKey, RequestFailure, at: MonotonicNanoseconds)

  // History and time
  case historyLoaded([HistoryMessage], at: MonotonicNanoseconds)
  case historyFailed(RequestFailure, at: MonotonicNanoseconds)
  case deadlinePassed(TurnDeadline, at: MonotonicNanoseconds)
}
