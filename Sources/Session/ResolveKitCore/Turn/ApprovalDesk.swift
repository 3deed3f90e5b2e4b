/// Batches of calls, in the order in which a person is asked about them.
struct ApprovalDesk: Equatable, Sendable {
  struct Batch: Equatable, Sendable {
    enum Phase: Equatable, Sendable {
      /// The window is open: calls join.
      case collecting
      /// Waits to be asked after the batches before it.
      case queued
      /// A person is asked about these calls.
      case asking(about: [ToolCallKey])
      case decided
    }

    let id: Int
    let turnID: String
    /// Counted from the first call, whenever the shell reports the window's end.
    let closesAt: MonotonicNanoseconds
    var keys: [ToolCallKey] = []
    var phase: Phase = .collecting
    /// The list as it was when its last call had ended; the ledger may forget the calls before the history does.
    var history: ToolCallChecklistBatch?
  }

  /// The place of a call.
  struct Place: Equatable, Sendable {
    let id: Int
    let isNew: Bool
    /// The batch takes no more calls.
    let isFull: Bool
  }

  /// Batches remembered for the checklist.
  static let maximumBatches = 128

  private var batches: [Batch] = []
  private var lastID = 0
  private var homes: [ToolCallKey: Int] = [:]

  /// An empty desk whose ids continue from this one's.
  func successor() -> ApprovalDesk {
    var next = ApprovalDesk()
    next.lastID = lastID
    return next
  }

  subscript(id: Int) -> Batch? { index(of: id).map { batches[$0] } }

  /// Puts a call into the open batch of its turn, or opens one.
  mutating func add(
    _ key: ToolCallKey, at now: MonotonicNanoseconds, window: UInt64, limit: Int
  ) -> Place {
    if let index = batches.lastIndex(where: { $0.phase == .collecting }), now < batches[index].closesAt,
      batches[index].keys.count < limit, batches[index].turnID.hasSameBytes(as: key.turnID)
    {
      batches[index].keys.append(key)
      homes[key] = batches[index].id
      return Place(id: batches[index].id, isNew: false, isFull: batches[index].keys.count >= limit)
    }
    lastID += 1
    batches.append(
      Batch(id: lastID, turnID: key.turnID, closesAt: now.advanced(byNanoseconds: window), keys: [key]))
    homes[key] = lastID
    if batches.count > Self.maximumBatches, let index = batches.firstIndex(where: { $0.phase == .decided }) {
      for key in batches.remove(at: index).keys { homes[key] = nil }
    }
    return Place(id: lastID, isNew: true, isFull: limit <= 1)
  }

  // MARK: Questions

  /// The question to a person now; nil where there is none.
  func question(in ledger: ToolLedger) -> ResolveKitApprovalRequest? {
    asking.map { question(about: $0.keys, of: $0.batch, ledger) }
  }

  private func question(
    about keys: [ToolCallKey], of batch: Batch, _ ledger: ToolLedger
  ) -> ResolveKitApprovalRequest {
    ResolveKitApprovalRequest(
      batchID: batch.id, turnID: batch.turnID, calls: keys.compactMap { ledger[$0]?.call.pending })
  }

  /// The batch that a person is asked about, and the calls that the question names.
  private var asking: (batch: Batch, keys: [ToolCallKey])? {
    for batch in batches { if case .asking(let keys) = batch.phase { return (batch, keys) } }
    return nil
  }

  /// The calls of batches that nobody was asked about yet, and that wait.
  func unasked(in ledger: ToolLedger) -> [ToolCallKey] {
    batches.filter { $0.phase == .queued || $0.phase == .collecting }.flatMap { Self.waiting(in: $0, ledger) }
  }

  mutating func windowEnded(_ id: Int, _ ledger: ToolLedger, _ effects: inout TurnEffects) {
    guard self[id]?.phase == .collecting else { return }
    setPhase(.queued, of: id)
    askNext(ledger, &effects)
  }

  /// Windows that are over count as that even before the shell says so.
  mutating func endWindows(
    before id: Int, at now: MonotonicNanoseconds, _ ledger: ToolLedger, _ effects: inout TurnEffects
  ) {
    for batch in batches where batch.phase == .collecting && batch.id != id && now >= batch.closesAt {
      setPhase(.queued, of: batch.id)
    }
    askNext(ledger, &effects)
  }

  /// One question at a time, in order; asked again where some of its calls no longer wait. A batch with nothing left to ask
  /// is passed over.
  mutating func askNext(_ ledger: ToolLedger, _ effects: inout TurnEffects) {
    if let (current, asked) = asking {
      let open = Self.waiting(in: current, ledger)
      guard open.isEmpty else { return open == asked ? () : ask(about: open, of: current, ledger, &effects) }
      endQuestion(about: current.id, ledger, &effects)
    }
    while let next = batches.first(where: { $0.phase == .queued }) {
      let open = Self.waiting(in: next, ledger)
      guard open.isEmpty else { return ask(about: open, of: next, ledger, &effects) }
      close(next.id, ledger)
    }
  }

  private mutating func ask(
    about keys: [ToolCallKey], of batch: Batch, _ ledger: ToolLedger, _ effects: inout TurnEffects
  ) {
    setPhase(.asking(about: keys), of: batch.id)
    show(batch.id, ledger, &effects)
    effects.emit(.askApproval(question(about: keys, of: batch, ledger)))
  }

  /// Takes a decision on the batch: the question is over once nothing of it waits.
  mutating func decided(_ id: Int, _ ledger: ToolLedger, _ effects: inout TurnEffects) {
    if let batch = asking?.batch, batch.id == id, Self.waiting(in: batch, ledger).isEmpty {
      endQuestion(about: batch.id, ledger, &effects)
    }
    show(id, ledger, &effects)
  }

  private mutating func endQuestion(about id: Int, _ ledger: ToolLedger, _ effects: inout TurnEffects) {
    close(id, ledger)
    effects.emit(.withdrawApproval(batchID: id))
  }

  /// Nothing is left to ask about in this batch.
  private mutating func close(_ id: Int, _ ledger: ToolLedger) {
    setPhase(.decided, of: id)
    keepHistory(of: id, ledger)
  }

  private static func waiting(in batch: Batch, _ ledger: ToolLedger) -> [ToolCallKey] {
    batch.keys.filter { ledger[$0]?.progress == .waiting }
  }

  private mutating func setPhase(_ phase: Batch.Phase, of id: Int) {
    if let index = index(of: id) { batches[index].phase = phase }
  }

  // MARK: Checklists

  /// Every batch that is remembered, oldest first.
  func checklists(in ledger: ToolLedger) -> [ToolCallChecklistBatch] {
    batches.map { $0.history ?? ToolCallChecklistBatch($0, ledger) }
  }

  /// Shows the batch of a call that has changed.
  mutating func show(_ key: ToolCallKey, _ ledger: ToolLedger, _ effects: inout TurnEffects) {
    if let id = homes[key] { show(id, ledger, &effects) }
  }

  private mutating func show(_ id: Int, _ ledger: ToolLedger, _ effects: inout TurnEffects) {
    guard let batch = self[id], batch.history == nil else { return }
    effects.emit(.showBatch(ToolCallChecklistBatch(batch, ledger)))
    keepHistory(of: id, ledger)
  }

  /// A list that cannot change any more is kept as it is.
  private mutating func keepHistory(of id: Int, _ ledger: ToolLedger) {
    guard let index = index(of: id), batches[index].phase == .decided, batches[index].history == nil else { return }
    let list = ToolCallChecklistBatch(batches[index], ledger)
    if list.items.allSatisfy(\.status.isFinal) { batches[index].history = list }
  }

  /// Ids ascend.
  private func index(of id: Int) -> Int? {
    var low = 0
    var high = batches.count
    while low < high {
      let middle = (low + high) / 2
      if batches[middle].id < id { low = middle + 1 } else { high = middle }
    }
    return low < batches.count && batches[low].id == id ? low : nil
  }
}

extension ToolCallChecklistBatch {
  /// The list of a batch's calls as they stand in the ledger.
  fileprivate init(_ batch: ApprovalDesk.Batch, _ ledger: ToolLedger) {
    let entries = batch.keys.compactMap { ledger[$0] }
    self.init(
      id: batch.id, turnID: batch.turnID, state: Self.state(of: entries),
      items: entries.map {
        ToolCallChecklistItem(call: $0.call.pending, status: $0.status, progress: $0.toolProgress)
      })
  }

  private static func state(of entries: [CallEntry]) -> ResolveKitToolCallBatchState {
    if entries.isEmpty { return .idle }
    if entries.contains(where: { $0.progress == .running }) { return .executing }
    if entries.contains(where: { $0.progress == .waiting }) { return .awaitingApproval }
    if entries.contains(where: { $0.progress == .approved }) { return .approved }
    return entries.allSatisfy(\.wasDenied) ? .declined : .finished
  }
}
