// Batches, the rules, and the question to a person.
extension TurnMachine {
  /// The question to a person now; nil where there is none.
  package var question: ResolveKitApprovalRequest? { desk.asking.map { question(about: $0.keys, of: $0.batch) } }

  private func question(about keys: [ToolCallKey], of batch: ApprovalDesk.Batch) -> ResolveKitApprovalRequest {
    ResolveKitApprovalRequest(
      batchID: batch.id, turnID: batch.turnID, calls: keys.compactMap { ledger[$0]?.call.pending })
  }

  /// The verdict of earlier decisions and the app's policy together; nil where a person is to be asked.
  func verdict(on entry: ToolLedger.Entry, policy: ApprovalVerdict? = nil) -> ApprovalVerdict? {
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

  /// One question at a time, in order; asked anew where some of its calls no longer wait. A batch with nothing left to ask
  /// is passed over.
  mutating func askNextBatch() {
    if let (current, asked) = desk.asking {
      let open = waiting(in: current)
      guard open.isEmpty else { return open == asked ? () : ask(about: open, of: current) }
      endQuestion(about: current.id)
    }
    while let next = desk.nextQueued {
      let open = waiting(in: next)
      guard open.isEmpty else {
        ask(about: open, of: next)
        return
      }
      close(next.id)
    }
  }

  private mutating func ask(about keys: [ToolCallKey], of batch: ApprovalDesk.Batch) {
    desk.setPhase(.asking(about: keys), of: batch.id)
    showBatch(batch.id)
    emit(.askApproval(question(about: keys, of: batch)))
  }

  mutating func endQuestion(about batchID: Int) {
    close(batchID)
    emit(.withdrawApproval(batchID: batchID))
  }

  /// The call starts as soon as a place is free.
  mutating func approve(_ key: ToolCallKey, at now: MonotonicNanoseconds) {
    ledger.update(key, &effects) { $0.progress = .approved }
  }

  mutating func deny(_ key: ToolCallKey, at now: MonotonicNanoseconds) {
    ledger.update(key, &effects) { $0.wasDenied = true }
    record(key, .failure("User denied action"), .cancelled("User denied action"))
  }

  func waiting(in batch: ApprovalDesk.Batch) -> [ToolCallKey] {
    batch.keys.filter { ledger[$0]?.progress == .waiting }
  }
}
