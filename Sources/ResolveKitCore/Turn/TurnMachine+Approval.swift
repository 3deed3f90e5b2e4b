// Batches and the person's word.
extension TurnMachine {
  mutating func batchWindowEnded(_ id: Int) {
    guard desk[id]?.phase == .collecting else { return }
    desk.setPhase(.queued, of: id)
    askNextBatch()
  }

  /// One question at a time, in order. A batch with nothing left to ask is passed over.
  mutating func askNextBatch() {
    if let current = desk.asking {
      guard waiting(in: current).isEmpty else { return }
      desk.setPhase(.decided, of: current.id)
      emit(.withdrawApproval(batchID: current.id))
    }
    while let next = desk.nextQueued {
      guard !waiting(in: next).isEmpty else {
        desk.setPhase(.decided, of: next.id)
        continue
      }
      desk.setPhase(.asking, of: next.id)
      let list = checklist(of: next)
      emit(.showBatch(list))
      return emit(.askApproval(list))
    }
  }

  mutating func decide(
    _ batchID: Int, _ decision: ApprovalDecision, only: [ToolCallKey], at now: MonotonicNanoseconds
  ) {
    guard let batch = desk[batchID], batch.phase == .asking else {
      return note(.ignored("a decision on batch \(batchID), which is not asked about"))
    }
    let chosen = waiting(in: batch).filter { only.isEmpty || only.contains($0) }
    for key in chosen { apply(decision, to: key, at: now) }
    if waiting(in: batch).isEmpty { desk.setPhase(.decided, of: batchID) }
    showBatch(batchID)
    startTools(at: now)
    askNextBatch()
  }

  private mutating func apply(_ decision: ApprovalDecision, to key: ToolCallKey, at now: MonotonicNanoseconds) {
    guard let entry = ledger[key] else { return }
    switch decision {
    case .approveOnce:
      ledger.update(key) { $0.progress = .approved }
    case .approveForSession:
      if let tool = tools[entry.call.functionName] { desk.allowForSession(tool) }
      ledger.update(key) { $0.progress = .approved }
    case .deny:
      ledger.update(key) { $0.wasDenied = true }
      record(key, .failure("User denied action"), .cancelled("User denied action"), at: now)
    }
  }

  private func waiting(in batch: ApprovalDesk.Batch) -> [ToolCallKey] {
    batch.keys.filter { ledger[$0]?.progress == .waiting }
  }

  mutating func emitStatus(of key: ToolCallKey) {
    guard let entry = ledger[key] else { return }
    emit(.toolStatusChanged(key, functionName: entry.call.functionName, entry.status))
    if let batch = desk.batch(of: key) { showBatch(batch.id) }
  }

  private mutating func showBatch(_ id: Int) {
    if let batch = desk[id] { emit(.showBatch(checklist(of: batch))) }
  }

  func checklist(of batch: ApprovalDesk.Batch) -> ToolCallChecklistBatch {
    let entries = batch.keys.compactMap { ledger[$0] }
    return ToolCallChecklistBatch(
      id: batch.id, turnID: batch.turnID, state: Self.state(of: entries),
      items: entries.map { ToolCallChecklistItem(call: $0.call.pending, status: $0.status) })
  }

  private static func state(of entries: [ToolLedger.Entry]) -> ResolveKitToolCallBatchState {
    if entries.isEmpty { return .idle }
    if entries.contains(where: { $0.progress == .running }) { return .executing }
    if entries.contains(where: { $0.progress == .waiting }) { return .awaitingApproval }
    if entries.contains(where: { $0.progress == .approved }) { return .approved }
    return entries.allSatisfy(\.wasDenied) ? .declined : .finished
  }
}
