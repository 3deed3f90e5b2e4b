/// Finds out what a person's decision counts for: for what was shown, and for nothing else.
struct ApprovalCheck {
  let desk: ApprovalDesk
  let ledger: ToolLedger

  /// The calls that a decision counts for. Throws where it counts for none: the person must have been shown what is
  /// asked now, each call byte for byte, and in time.
  ///
  /// - Parameter only: single calls of the question; nil for all of it.
  func calls(
    under decision: ApprovalDecision, on shown: ResolveKitApprovalRequest, only: [String]?,
    at now: MonotonicNanoseconds
  ) throws(ResolveKitDecisionRefusal) -> [ToolCallKey] {
    var named = shown.calls
    if let only {
      named = named.filter { call in only.contains { $0.hasSameBytes(as: call.callID) } }
      guard !named.isEmpty, named.count == only.count else { throw .notShown }
    }
    guard let batch = desk[shown.batchID], batch.turnID.hasSameBytes(as: shown.turnID) else { throw .over }
    var keys: [ToolCallKey] = []
    for call in named {
      let key = ToolCallKey(turnID: shown.turnID, callID: call.callID)
      guard batch.keys.contains(key), ledger[key]?.call.pending.isShown(as: call) ?? true else { throw .changed }
      keys.append(key)
    }
    var asked: [ToolCallKey] = []
    if case .asking(let keys) = batch.phase { asked = keys }
    // No is the safe word: said of single calls it counts for each that has not started, approved or not.
    if !decision.approves, only != nil {
      let open = keys.filter { ledger[$0]?.progress == .approved || asked.contains($0) && isWaiting($0) }
      guard !open.isEmpty else { throw .over }
      return open
    }
    guard keys.contains(where: { asked.contains($0) && isWaiting($0) }) else { throw .over }
    guard keys.allSatisfy({ asked.contains($0) && isWaiting($0) }), only != nil || keys.count == asked.count else {
      throw .changed
    }
    if decision.approves, keys.contains(where: { isOverdue($0, at: now) }) { throw .tooLate }
    return keys
  }

  private func isWaiting(_ key: ToolCallKey) -> Bool { ledger[key]?.progress == .waiting }

  private func isOverdue(_ key: ToolCallKey, at now: MonotonicNanoseconds) -> Bool {
    ledger[key]?.isOverdue(at: now) ?? false
  }
}
