import ArgumentParser
import CodexRemoteClient

/// The value of `--approve`: who answers questions.
enum AnswerRule: String, CaseIterable, ExpressibleByArgument {
  /// A person, here or elsewhere.
  case ask
  /// Nobody: each is allowed once.
  case all
  /// Nobody: each is declined.
  case none

  /// The answer that nobody is asked for; nil where somebody is.
  func decision(on approval: RemoteApproval) -> RemoteDecision? {
    switch self {
    case .ask: return nil
    case .all:
      if case .yes = approval.answering { return .approve }
      return .decline
    case .none: return .decline
    }
  }
}
