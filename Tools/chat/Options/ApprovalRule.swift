import ResolveKitUI

/// The command line's rule for calls that need approval.
struct ApprovalRule: Sendable {
  var choice: ApprovalChoice
  /// Whether a person can be asked.
  var canAsk: Bool

  func decision(on call: ResolveKitPendingToolCall) -> ResolveKitApprovalDecision {
    switch choice {
    case .all: .allow
    case .none: .deny
    case .ask: canAsk ? .ask : .deny
    }
  }

  /// The line on standard error about a call that is declined without a question.
  func notice(of call: ResolveKitPendingToolCall) -> String {
    let name = call.functionName.visible
    return switch choice {
    case .none: "chat: \(name) was declined, because of --approve none\n"
    case .all, .ask: "chat: \(name) was declined, for it needs approval; --approve all runs such calls\n"
    }
  }
}
