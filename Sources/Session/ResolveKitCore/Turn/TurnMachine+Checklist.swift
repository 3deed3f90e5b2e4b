// What is shown of batches and their calls.
extension TurnMachine {
  mutating func emitStatus(of key: ToolCallKey) {
    guard let entry = ledger[key] else { return }
    emit(.toolStatusChanged(key, functionName: entry.call.functionName, entry.status))
    if let batch = desk.batch(of: key) { showBatch(batch.id) }
  }

  mutating func showBatch(_ id: Int) {
    guard let batch = desk[id], batch.history == nil else { return }
    emit(.showBatch(checklist(of: batch)))
    keepHistory(of: id)
  }

  /// Nothing is left to ask about in this batch.
  mutating func close(_ id: Int) {
    desk.setPhase(.decided, of: id)
    keepHistory(of: id)
  }

  /// A list that cannot change any more is kept as it is.
  private mutating func keepHistory(of id: Int) {
    guard let batch = desk[id], batch.phase == .decided, batch.history == nil else { return }
    let list = checklist(of: batch)
    if list.items.allSatisfy(\.status.isFinal) { desk.keep(list) }
  }

  mutating func toolProgressed(_ key: ToolCallKey, _ progress: ResolveKitToolProgress) {
    guard ledger[key]?.progress == .running else { return }
    slots.setProgress(progress, of: key)
    if let batch = desk.batch(of: key) { showBatch(batch.id) }
  }

  func checklist(of batch: ApprovalDesk.Batch) -> ToolCallChecklistBatch {
    if let history = batch.history { return history }
    let entries = batch.keys.compactMap { ledger[$0] }
    return ToolCallChecklistBatch(
      id: batch.id, turnID: batch.turnID, state: Self.state(of: entries),
      items: entries.map { entry in
        ToolCallChecklistItem(
          call: entry.call.pending, status: entry.status,
          progress: entry.progress == .running ? slots.progress(of: entry.call.key) : nil)
      })
  }

  private static func state(of entries: [ToolLedger.Entry]) -> ResolveKitToolCallBatchState {
    if entries.isEmpty { return .idle }
    if entries.contains(where: { $0.progress == .running }) { return .executing }
    if entries.contains(where: { $0.progress == .waiting }) { return .awaitingApproval }
    if entries.contains(where: { $0.progress == .approved }) { return .approved }
    return entries.allSatisfy(\.wasDenied) ? .declined : .finished
  }
}
