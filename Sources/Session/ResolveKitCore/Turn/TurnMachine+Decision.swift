// The person's word: it counts for what was shown, and for nothing else.
extension TurnMachine {
  mutating func decide(
    _ decision: ApprovalDecision, on shown: ResolveKitApprovalRequest, only: [String]?, at now: MonotonicNanoseconds
  ) {
    let keys: [ToolCallKey]
    do {
      keys = try calls(under: decision, on: shown, only: only, at: now)
    } catch {
      note(.refusedDecision(error))
      if error == .tooLate { endOverdueCalls(of: shown.batchID, at: now) }
      return
    }
    link.hastenStream(&effects)
    for key in keys { apply(decision, to: key, at: now) }
    if let batch = desk.asking?.batch, batch.id == shown.batchID, waiting(in: batch).isEmpty {
      endQuestion(about: batch.id)
    }
    showBatch(shown.batchID)
    applyRulesToLaterBatches(at: now)
    startTools(at: now)
    askNextBatch()
  }

  /// The outcome that a decision would have.
  package func outcome(
    of decision: ApprovalDecision, on shown: ResolveKitApprovalRequest, only: [String]?, at now: MonotonicNanoseconds
  ) -> ResolveKitDecisionOutcome {
    do {
      _ = try calls(under: decision, on: shown, only: only, at: now)
      return .counted
    } catch {
      return .refused(error)
    }
  }

  /// The calls that a decision counts for. Throws where it counts for none: whoever made it must have been shown what is
  /// asked now, each call byte for byte, and in time.
  private func calls(
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
    ledger[key].map { $0.progress == .waiting && now >= $0.deadline } ?? false
  }

  /// The backend has stopped waiting for these calls: they are not run, and the person learns why.
  private mutating func endOverdueCalls(of batchID: Int, at now: MonotonicNanoseconds) {
    for key in desk[batchID]?.keys ?? [] where isOverdue(key, at: now) {
      let seconds = ledger[key]?.call.request.timeoutSeconds ?? 0
      expire(key, at: now, because: "Approved too late: the backend waited \(seconds) s")
    }
    startTools(at: now)
    askNextBatch()
  }

  private mutating func apply(_ decision: ApprovalDecision, to key: ToolCallKey, at now: MonotonicNanoseconds) {
    guard let entry = ledger[key] else { return }
    let tool = tool(named: entry.call.functionName)
    switch decision {
    case .approveOnce, .deny: break
    case .approveForSession: if let tool { rules.allowForSession(tool) }
    case .approveAlways: if let tool { keep(.allow, on: tool) }
    case .denyAlways: if let tool { keep(.deny, on: tool) }
    }
    if decision.approves { approve(key, at: now) } else { deny(key, at: now) }
  }

  private mutating func keep(_ verdict: ApprovalVerdict, on tool: ToolPolicy) {
    if tool.fingerprint.isEmpty, verdict == .allow { return rules.allowForSession(tool) }
    if let approval = rules.stand(verdict, on: tool) { emit(.keepApproval(approval)) }
  }

  /// Asks no more about what was just allowed or denied for longer.
  private mutating func applyRulesToLaterBatches(at now: MonotonicNanoseconds) {
    for batch in desk.batches where batch.phase == .queued || batch.phase == .collecting {
      for key in waiting(in: batch) {
        guard let entry = ledger[key] else { continue }
        switch verdict(on: entry) {
        case .allow: approve(key, at: now)
        case .deny: deny(key, at: now)
        case .unknown, nil: break
        }
      }
    }
  }
}
