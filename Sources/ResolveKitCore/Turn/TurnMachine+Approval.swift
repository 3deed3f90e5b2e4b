// Batches, the rules, and the person's word.
extension TurnMachine {
  /// The batch that a person is asked about; nil where none is.
  package var askedBatch: ToolCallChecklistBatch? { desk.asking.map { question(about: $0) } }

  private func question(about batch: ApprovalDesk.Batch) -> ToolCallChecklistBatch {
    var list = checklist(of: batch)
    let open = Set(waiting(in: batch).map(\.callID.utf8Bytes))
    list.items.removeAll { !open.contains($0.call.callID.utf8Bytes) }
    return list
  }

  /// What the rules of earlier decisions and the app's policy say together; nil where a person is to be asked.
  private func verdict(on entry: ToolLedger.Entry, policy: ApprovalVerdict? = nil) -> ApprovalVerdict? {
    ApprovalVerdict.strictest(policy, tool(named: entry.call.functionName).flatMap { rules.verdict(on: $0) })
  }

  /// The app's policy has spoken about one call; nil leaves it to the rules and to a person.
  mutating func policyDecided(_ key: ToolCallKey, _ policy: ApprovalVerdict?, at now: MonotonicNanoseconds) {
    guard let entry = ledger[key], entry.progress == .waiting else {
      return note(.ignored("a policy's word on call \(key.callID), which does not wait"))
    }
    switch verdict(on: entry, policy: policy) {
    case .allow: approve(key, at: now)
    case .deny: deny(key, at: now)
    case .unknown, nil: return
    }
    startTools(at: now)
    askNextBatch()
  }

  /// Standing decisions were made or revoked outside of this session. One that denies ends what waits and what has not
  /// started; one that allows counts for later calls.
  mutating func standingApprovalsChanged(_ approvals: [StandingApproval], at now: MonotonicNanoseconds) {
    rules.replaceStanding(by: approvals)
    for key in ledger.unfinished(turnID: nil) {
      guard let entry = ledger[key], entry.progress != .running, verdict(on: entry) == .deny else { continue }
      deny(key, at: now)
    }
    startTools(at: now)
    askNextBatch()
  }

  mutating func batchWindowEnded(_ id: Int) {
    guard desk[id]?.phase == .collecting else { return }
    desk.setPhase(.queued, of: id)
    askNextBatch()
  }

  /// Windows that are over count as that even before the shell says so.
  mutating func endWindows(before id: Int, at now: MonotonicNanoseconds) {
    for batch in desk.batches where batch.phase == .collecting && batch.id != id && now >= batch.closesAt {
      desk.setPhase(.queued, of: batch.id)
    }
    askNextBatch()
  }

  /// One question at a time, in order. A batch with nothing left to ask is passed over.
  mutating func askNextBatch() {
    if let current = desk.asking {
      guard waiting(in: current).isEmpty else { return }
      close(current.id)
      emit(.withdrawApproval(batchID: current.id))
    }
    while let next = desk.nextQueued {
      guard !waiting(in: next).isEmpty else {
        close(next.id)
        continue
      }
      desk.setPhase(.asking, of: next.id)
      showBatch(next.id)
      return emit(.askApproval(question(about: next)))
    }
  }

  mutating func decide(
    _ batchID: Int, _ decision: ApprovalDecision, only: [ToolCallKey], at now: MonotonicNanoseconds
  ) {
    guard let batch = desk[batchID], batch.phase == .asking || batch.phase == .decided else {
      return note(.ignored("a decision on batch \(batchID), which is not asked about"))
    }
    let chosen = only.isEmpty ? waiting(in: batch) : batch.keys.filter { only.contains($0) }
    let open = chosen.filter { key in
      switch ledger[key]?.progress {
      case .waiting: batch.phase == .asking
      // Deny wins over an approval as long as the tool has not started.
      case .approved: !decision.approves
      case .running, .recorded, nil: false
      }
    }
    guard !open.isEmpty else {
      return note(.ignored("a decision on calls of batch \(batchID) that are over, decided or out of time"))
    }
    hastenStream()
    for key in open { apply(decision, to: key, at: now) }
    if waiting(in: batch).isEmpty { close(batchID) }
    showBatch(batchID)
    applyRulesToLaterBatches(at: now)
    startTools(at: now)
    askNextBatch()
  }

  private mutating func apply(_ decision: ApprovalDecision, to key: ToolCallKey, at now: MonotonicNanoseconds) {
    guard let entry = ledger[key] else { return }
    // The backend no longer waits: the tool must not act for nobody, and the person learns why it did not.
    if decision.approves, now >= entry.deadline {
      let seconds = entry.call.request.timeoutSeconds
      return expire(key, at: now, because: "Approved too late: the backend waited \(seconds) s")
    }
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

  /// What was just allowed or denied for longer is not asked about again.
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

  /// The call starts as soon as a place is free.
  mutating func approve(_ key: ToolCallKey, at now: MonotonicNanoseconds) {
    ledger.update(key) { $0.progress = .approved }
  }

  mutating func deny(_ key: ToolCallKey, at now: MonotonicNanoseconds) {
    ledger.update(key) { $0.wasDenied = true }
    record(key, .failure("User denied action"), .cancelled("User denied action"))
  }

  private func waiting(in batch: ApprovalDesk.Batch) -> [ToolCallKey] {
    batch.keys.filter { ledger[$0]?.progress == .waiting }
  }
}
