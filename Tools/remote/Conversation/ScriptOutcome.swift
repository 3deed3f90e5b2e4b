import CodexRemoteClient

/// The outcome for a program that cannot read what was said: the code of the first thing that did not happen.
struct ScriptOutcome {
  private(set) var failure: RemoteError.Code?
  /// Turns that have a message of this program, and run.
  private var ownTurns: Set<String> = []
  private var isStopping = false
  /// Whether the next turn answers a message of this program.
  private var isContinued = false

  /// A command failed, or a chat is not available.
  mutating func failed(_ code: RemoteError.Code) { failure = failure ?? code }

  /// The turn that runs is ended on purpose.
  mutating func stopped() { isStopping = true }

  /// - Parameter isOwn: whether a message was sent by this program.
  mutating func take(_ update: RemoteUpdate, isOwn: (String) -> Bool) {
    switch update {
    case .message(let message):
      switch message.delivery {
      case .failed(let code, _): failed(code)
      case .dropped: failed(.refused)
      case .delivered(let turnID?): ownTurns.insert(turnID)
      case .delivered(nil), .sending, .retrying, .withdrawn: break
      }
    case .entry(let entry):
      if let id = entry.requestID, isOwn(id) { ownTurns.insert(entry.id.turnID) }
    case .turnEnded(let turnID, let status, _):
      if ownTurns.remove(turnID) != nil, status != "completed", !isStopping { failed(.refused) }
      isStopping = false
    case .turnContinues(let turnID): isContinued = ownTurns.contains(turnID)
    case .turnStarted(let turnID):
      if isContinued { ownTurns.insert(turnID) }
      isContinued = false
    case .decisionRefused: failed(.refused)
    case .link(.closed(let code, _)): failed(code)
    case .loaded, .earlier, .resynchronized, .link, .text, .approvalNeeded, .approvalGone, .notice: break
    }
  }
}
