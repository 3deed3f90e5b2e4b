/// A chat as it is now.
public struct RemoteChatState: Hashable, Sendable {
  /// The newest 2 000 entries, oldest first.
  public internal(set) var entries: [RemoteEntry] = []
  /// The turn that runs.
  public internal(set) var runningTurnID: String?
  /// Whether the last turn ended before codex answered the last message, and the companion starts another one for it.
  public internal(set) var isContinuing = false
  /// The approvals that wait, oldest first.
  public internal(set) var approvals: [RemoteApproval] = []
  /// Messages that are not in ``entries`` yet.
  public internal(set) var outgoing: [RemoteOutgoing] = []
  /// The state of the event stream.
  public internal(set) var link = RemoteLink.idle
  /// Whether the history was read, and its latest turn is reported as far as it has come, or is being reported.
  public internal(set) var isCurrent = false
  /// Whether there are pages before those that were read; ``RemoteChat/loadEarlier()`` reads the next one.
  public internal(set) var hasEarlier = false
  /// The number of the last event that is in this state; nil before the first.
  public internal(set) var sequence: Int?

  package init() {}

  /// Whether something is under way: a turn, or a message that is to begin one.
  public var isBusy: Bool {
    runningTurnID != nil || isContinuing
      || outgoing.contains {
        switch $0.delivery {
        case .sending, .retrying, .delivered: true
        case .dropped, .failed, .withdrawn: false
        }
      }
  }
}
