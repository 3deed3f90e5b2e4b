import ArgumentParser
import CodexRemoteClient

/// The value of `--approve`: who answers questions.
enum AnswerRule: String, CaseIterable, ExpressibleByArgument {
  /// A person, here or elsewhere.
  case ask
  /// Allows each once without asking.
  case all
  /// Declines each without asking.
  case none

  /// The answer that is given without a question; nil where a person is asked.
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
