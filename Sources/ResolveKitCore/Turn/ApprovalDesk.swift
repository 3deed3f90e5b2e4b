/// Batches of calls, and what a person has allowed for the session.
struct ApprovalDesk: Equatable, Sendable {
  struct Batch: Equatable, Sendable {
    enum Phase: Equatable, Sendable {
      /// The window is open: calls join.
      case collecting
      /// Its turn to be asked comes after the batches before it.
      case queued
      case asking
      case decided
    }

    let id: Int
    let turnID: String
    var keys: [ToolCallKey]
    var phase: Phase = .collecting
  }

  /// Batches remembered for the checklist.
  private static let maximumBatches = 128

  private(set) var batches: [Batch] = []
  private var lastID = 0
  private var allowed: Set<[UInt8]> = []

  subscript(id: Int) -> Batch? { batches.first { $0.id == id } }

  func batch(of key: ToolCallKey) -> Batch? { batches.last { $0.keys.contains(key) } }

  /// Puts a call into the open batch of its turn, or opens one. Answers the batch's id, and whether it is new.
  mutating func add(_ key: ToolCallKey, limit: Int) -> (id: Int, isNew: Bool) {
    if let index = batches.lastIndex(where: { $0.phase == .collecting }),
      batches[index].turnID.hasSameBytes(as: key.turnID), batches[index].keys.count < limit
    {
      batches[index].keys.append(key)
      return (batches[index].id, false)
    }
    lastID += 1
    batches.append(Batch(id: lastID, turnID: key.turnID, keys: [key]))
    if batches.count > Self.maximumBatches, let index = batches.firstIndex(where: { $0.phase == .decided }) {
      batches.remove(at: index)
    }
    return (lastID, true)
  }

  mutating func setPhase(_ phase: Batch.Phase, of id: Int) {
    guard let index = batches.firstIndex(where: { $0.id == id }) else { return }
    batches[index].phase = phase
  }

  var asking: Batch? { batches.first { $0.phase == .asking } }
  var nextQueued: Batch? { batches.first { $0.phase == .queued } }

  mutating func allowForSession(_ tool: ToolPolicy) { allowed.insert(Self.stamp(of: tool)) }

  func allows(_ tool: ToolPolicy) -> Bool { allowed.contains(Self.stamp(of: tool)) }

  /// Injective: the name's length comes first, so that no two pairs of name and definition share a stamp.
  private static func stamp(of tool: ToolPolicy) -> [UInt8] {
    Array("\(tool.name.utf8.count):\(tool.name)\(tool.fingerprint)".utf8)
  }
}
