import Logging
import ResolveKitCore
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

  /// Decides on all calls of a batch that wait.
  ///
  /// - Parameter shown: the batch that the person has seen, where that is known: a decision never counts for another one. One
  ///   that was answered before is not meant: the runtime hears of a question later than its other readers may answer it.
  func decide(_ decision: ApprovalDecision, shown: Int?) {
    let seen = shown.flatMap { $0 > lastAnsweredBatch ? batch($0) : nil }
    decide(decision, on: seen ?? askedBatch, only: nil)
  }

  /// Decides on single calls of one batch.
  func decide(_ decision: ApprovalDecision, callIDs: [String]) {
    decide(decision, on: callIDs.first.flatMap { batch(holding: $0) }, only: callIDs)
  }

  private func decide(_ decision: ApprovalDecision, on batch: ToolCallChecklistBatch?, only callIDs: [String]?) {
    guard let batch else {
      hub.send(.note("nothing waits for that decision: the calls' time is up, or their turn is over"))
      return
    }
    let keys = callIDs?.map { ToolCallKey(turnID: batch.turnID, callID: $0) } ?? []
    handle(.approvalDecided(batchID: batch.id, decision, only: keys, at: now()))
    if askedBatch?.id != batch.id { lastAnsweredBatch = max(lastAnsweredBatch, batch.id) }
  }

  /// Tells the machine what is kept now; nothing is allowed by what cannot be read.
  func refreshApprovals() {
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
