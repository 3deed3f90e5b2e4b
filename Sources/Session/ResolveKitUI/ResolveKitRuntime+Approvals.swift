public import ResolveKitCore
public import ResolveKitNetworking
import ResolveKitSession

/// Decisions on tool calls. Each counts for the question that it was made for, and has no effect where that was answered,
/// withdrawn or changed meanwhile; ``executionLog`` and ``updates()`` say so.
///
/// The methods that take no question count for the one that ``pendingApproval`` shows at the moment of the call. A reader of
/// ``updates()`` may be ahead of that property, and passes the question that it received.
extension ResolveKitRuntime {
  /// The first call of ``pendingApproval``, nil if none waits.
  public var pendingToolCall: ResolveKitPendingToolCall? { pendingApproval?.calls.first }

  /// Runs every call of the question that ``pendingApproval`` shows now.
  public func approveToolCallBatch() async { await approveToolCalls() }
  /// Runs every call of the question that ``pendingApproval`` shows now, and later calls of the same tools without asking.
  public func approveToolCallBatchForSession() async { await approveToolCalls(for: .session) }
  /// Declines every call of the question that ``pendingApproval`` shows now.
  public func declineToolCallBatch() async { await declineToolCalls() }
  /// The same as ``approveToolCallBatch()``.
  public func approveCurrentToolCall() async { await approveToolCallBatch() }
  /// The same as ``declineToolCallBatch()``.
  public func denyCurrentToolCall() async { await declineToolCallBatch() }

  /// Runs every call of a question as it was shown. Returns whether that counts, or why not.
  @discardableResult
  public func approveToolCallBatch(_ question: ResolveKitApprovalRequest) async -> ResolveKitDecisionOutcome {
    await approveToolCalls(of: question)
  }

  /// Declines every call of a question as it was shown. Returns whether that counts, or why not.
  @discardableResult
  public func declineToolCallBatch(_ question: ResolveKitApprovalRequest) async -> ResolveKitDecisionOutcome {
    await declineToolCalls(of: question)
  }

  /// Runs calls of a question as it was shown.
  ///
  /// - Parameters:
  ///   - callIDs: of single calls; nil for all of the question.
  ///   - question: what was shown; nil for what ``pendingApproval`` shows now.
  ///   - scope: how far the yes reaches.
  /// - Returns: Whether the decision counts. Where one of the calls no longer waits it counts for none of them.
  @discardableResult
  public func approveToolCalls(
    _ callIDs: [String]? = nil, of question: ResolveKitApprovalRequest? = nil,
    for scope: ResolveKitApprovalScope = .once
  ) async -> ResolveKitDecisionOutcome {
    switch scope {
    case .once: await decide(.approveOnce, on: question, only: callIDs)
    case .session: await decide(.approveForSession, on: question, only: callIDs)
    case .always: await decide(.approveAlways, on: question, only: callIDs)
    }
  }

  /// Declines calls of a question as it was shown.
  ///
  /// - Parameters:
  ///   - callIDs: of single calls; nil for all of the question. Calls that are named here are declined where they wait, and
  ///     also where they were approved and have not started.
  ///   - question: what was shown; nil for what ``pendingApproval`` shows now.
  ///   - always: whether later calls of the same tools are declined too, until ``revokeToolApproval(_:)``.
  /// - Returns: Whether the decision counts.
  @discardableResult
  public func declineToolCalls(
    _ callIDs: [String]? = nil, of question: ResolveKitApprovalRequest? = nil, always: Bool = false
  ) async -> ResolveKitDecisionOutcome {
    await decide(always ? .denyAlways : .deny, on: question, only: callIDs)
  }

  /// - Parameter question: what was shown; nil for what is published now, before anything is waited for.
  private func decide(
    _ decision: ApprovalDecision, on question: ResolveKitApprovalRequest?, only callIDs: [String]?
  ) async -> ResolveKitDecisionOutcome {
    guard let driver, let question = question ?? pendingApproval else {
      let refusal = ResolveKitDecisionRefusal.nothingShown
      hub.send(.note(refusal.description))
      return .refused(refusal)
    }
    return await driver.decide(decision, on: question, only: callIDs)
  }

  /// The decisions on tools that hold until they are revoked.
  public func toolApprovals() throws(ResolveKitApprovalStoreError) -> [ResolveKitStandingApproval] {
    try configuration.approvalStore.approvals()
  }

  /// Takes back a decision; from now on a person is asked again. False if there is none of that id.
  @discardableResult
  public func revokeToolApproval(
    _ id: ResolveKitStandingApproval.ID
  ) async throws(ResolveKitApprovalStoreError) -> Bool {
    let isRevoked = try configuration.approvalStore.revoke(id)
    await driver?.refreshApprovals()
    return isRevoked
  }
}
