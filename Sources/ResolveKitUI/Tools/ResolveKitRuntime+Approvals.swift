import ResolveKitCore
public import ResolveKitNetworking

/// Decisions beyond the whole batch and this one time.
extension ResolveKitRuntime {
  /// Runs calls of the batch that waits.
  ///
  /// - Parameters:
  ///   - callIDs: of single calls; nil for all that wait. Calls that no longer wait are left as they are.
  ///   - scope: how far the yes reaches.
  public func approveToolCalls(_ callIDs: [String]? = nil, for scope: ResolveKitApprovalScope = .once) async {
    switch scope {
    case .once: await decide(.approveOnce, callIDs)
    case .session: await decide(.approveForSession, callIDs)
    case .always: await decide(.approveAlways, callIDs)
    }
  }

  /// Declines calls of the batch that waits; also those that were approved and have not started, where they are named.
  ///
  /// - Parameters:
  ///   - callIDs: of single calls; nil for all that wait.
  ///   - always: whether later calls of the same tools are declined too, until ``revokeToolApproval(_:)``.
  public func declineToolCalls(_ callIDs: [String]? = nil, always: Bool = false) async {
    await decide(always ? .denyAlways : .deny, callIDs)
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
