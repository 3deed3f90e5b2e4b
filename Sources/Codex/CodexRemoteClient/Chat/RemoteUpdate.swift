/// A change of a chat's state, in order. What it leads to is in ``RemoteChatState``.
public enum RemoteUpdate: Hashable, Sendable {
  /// The history was read: the entries are these, and no question and no turn is known yet.
  case loaded([RemoteEntry])
  /// A page of what was before the first entry that was reported, the oldest first. It is among the entries of the state where
  /// there is room for it.
  case earlier([RemoteEntry], hasMore: Bool)
  /// The reader was too slow and updates were dropped; read the state again.
  case resynchronized
  /// The state of the event stream changed.
  case link(RemoteLink)
  /// A turn began.
  case turnStarted(turnID: String)
  /// A turn ended: codex's word for how, such as `completed` or `interrupted`, and its error's sentence, nil where
  /// there is none.
  case turnEnded(turnID: String, status: String, error: String?)
  /// Codex took up the last message as this turn ended, and another turn is about to answer it; before ``turnEnded(turnID:status:error:)``.
  case turnContinues(turnID: String)
  /// An entry is new, or has changed; a message's text is its whole.
  case entry(RemoteEntry)
  /// More of a message's text.
  case text(RemoteEntryID, appended: String)
  /// Codex waits for a person's decision.
  case approvalNeeded(RemoteApproval)
  /// The approval needs no answer any more.
  case approvalGone(id: String, reason: String)
  /// An answer that has no effect, and why.
  case decisionRefused(id: String, reason: String)
  /// A message of this device is new, or its delivery has changed.
  case message(RemoteOutgoing)
  /// Something that a person should know, in a sentence.
  case notice(String)
}
