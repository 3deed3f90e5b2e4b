import ResolveKitCore

/// The questions of a chat that codex waits for.
struct OpenApprovals: Sendable {
  struct Entry: Sendable {
    let request: ApprovalRequest
    /// Whether clients know of it: what the rules answer is not reported.
    let isReported: Bool
    var state: State
  }

  enum State: Sendable {
    /// A person is asked.
    case asked(ApprovalSubject)
    /// Decided, and codex has not said so yet. What it was answered is kept for the case that the answer was lost.
    case answered(JSONValue)
    /// Known from the log of a former connection: codex may have given it up meanwhile.
    case unconfirmed
  }

  /// codex asks as many at once as the model calls tools at once; beyond, it is declined.
  static let limit = 64

  private(set) var entries: [Entry] = []

  var isFull: Bool { entries.count >= Self.limit }

  subscript(id: String) -> Entry? { entries.first { $0.request.id == id } }

  /// The approvals that a person can decide on, oldest first.
  var undecided: [ApprovalRequest] {
    entries.compactMap { if case .asked = $0.state { $0.request } else { nil } }
  }

  /// The items of a turn that wait for a person's yes.
  func itemsThatWait(in turnID: String) -> Set<String> {
    Set(undecided.filter { $0.turnID == turnID }.compactMap(\.itemID))
  }

  mutating func add(_ request: ApprovalRequest, _ state: State, isReported: Bool) {
    entries.append(Entry(request: request, isReported: isReported, state: state))
  }

  mutating func set(_ state: State, of id: String) {
    guard let index = entries.firstIndex(where: { $0.request.id == id }) else { return }
    entries[index].state = state
  }

  /// Takes out the one that codex's request made; a request's id is unique while it is open.
  mutating func resolve(requestID: JSONValue) -> Entry? {
    entries.firstIndex { $0.request.requestID == requestID }.map { entries.remove(at: $0) }
  }

  /// Takes out what is meant; the ids of those that clients know of.
  mutating func remove(where isMeant: (Entry) -> Bool) -> [String] {
    let removed = entries.filter { $0.isReported && isMeant($0) }.map(\.request.id)
    entries.removeAll(where: isMeant)
    return removed
  }

  /// After a lost connection: all have to be asked by codex again.
  mutating func doubt() {
    for index in entries.indices {
      if case .asked = entries[index].state { entries[index].state = .unconfirmed }
    }
  }
}
