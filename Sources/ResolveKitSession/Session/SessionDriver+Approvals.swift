import Logging
package import ResolveKitCore
import ResolveKitNetworking
import StreamTransport

/// The app's policy, the person's decisions, and those that are kept.
extension SessionDriver {
  func consultPolicy(_ call: ToolCall) {
    let verdict: ApprovalVerdict? =
      switch configuration.approvalPolicy(call.pending) {
      case .allow: .allow
      case .deny: .deny
      case .ask: nil
      }
    handle(.policyDecided(call.key, verdict, at: now()))
  }

  /// Decides on the calls of a question as it was shown, or on single ones of them.
  package func decide(
    _ decision: ApprovalDecision, on question: ResolveKitApprovalRequest, only callIDs: [String]?
  ) -> ResolveKitDecisionOutcome {
    let now = now()
    let outcome = machine.outcome(of: decision, on: question, only: callIDs, at: now)
    handle(.approvalDecided(decision, on: question, only: callIDs, at: now))
    return outcome
  }

  /// Tells the machine what is kept now; nothing is allowed by what cannot be read.
  package func refreshApprovals() {
    var standing: [StandingApproval] = []
    do {
      standing = try configuration.approvalStore.approvals().map(\.standing)
    } catch {
      standing = configuration.approvalStore.unsavedApprovals.map(\.standing)
      logger.warning("decisions on tools cannot be read", metadata: ["reason": "\(error)"])
      hub.send(.note("every call is asked about: \(error)"))
    }
    handle(.standingApprovalsChanged(standing, at: now()))
  }

  func keep(_ approval: StandingApproval) {
    do {
      try configuration.approvalStore.keep(approval, server: configuration.approvalServer)
    } catch {
      logger.warning("a decision is not kept", metadata: ["tool": "\(approval.toolName)", "reason": "\(error)"])
      hub.send(.note("the decision on \(approval.toolName) holds until this program ends: \(error)"))
    }
  }
}
