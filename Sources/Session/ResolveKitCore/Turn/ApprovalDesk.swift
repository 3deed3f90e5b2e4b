/// Batches of calls, in the order in which a person is asked about them.
struct ApprovalDesk: Equatable, Sendable {
  struct Batch: Equatable, Sendable {
    enum Phase: Equatable, Sendable {
      /// The window is open: calls join.
      case collecting
      /// Its turn to be asked comes after the batches before it.
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

  /// Where a call was put.
  struct Place: Equatable, Sendable {
    let id: Int
    let isNew: Bool
    /// The batch takes no more calls.
    let isFull: Bool
  }

  /// Batches remembered for the checklist.
  static let maximumBatches = 128

  private(set) var batches: [Batch] = []
  private var lastID = 0
  private var homes: [ToolCallKey: Int] = [:]

  /// An empty desk whose ids go on from this one's.
  func successor() -> ApprovalDesk {
    var next = ApprovalDesk()
    next.lastID = lastID
    return next
  }

  subscript(id: Int) -> Batch? { index(of: id).map { batches[$0] } }

  func batch(of key: ToolCallKey) -> Batch? { homes[key].flatMap { self[$0] } }

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

  mutating func setPhase(_ phase: Batch.Phase, of id: Int) {
    if let index = index(of: id) { batches[index].phase = phase }
  }

  mutating func keep(_ history: ToolCallChecklistBatch) {
    if let index = index(of: history.id) { batches[index].history = history }
  }

  /// The batch that a person is asked about, and the calls that the question names.
  var asking: (batch: Batch, keys: [ToolCallKey])? {
    for batch in batches { if case .asking(let keys) = batch.phase { return (batch, keys) } }
    return nil
  }
  var nextQueued: Batch? { batches.first { $0.phase == .queued } }

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
