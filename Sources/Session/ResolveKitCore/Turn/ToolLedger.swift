/// Every call that is remembered, by key: what was asked, how far it went, what was answered. A key is never used twice,
/// so a tool starts at most once for it.
package struct ToolLedger: Equatable, Sendable {
  struct Entry: Equatable, Sendable {
    enum Progress: Equatable, Sendable {
      /// Waits for its batch or for a person.
      case waiting
      /// May start as soon as a place is free.
      case approved
      case running
      /// The result is fixed; every delivery sends exactly this.
      case recorded(ResolveKitToolResultPayload, Delivery)
    }

    enum Delivery: Equatable, Sendable {
      case inFlight(attempt: Int)
      case paused(attempt: Int)
      case settled(ResultDelivery)
    }

    let call: ToolCall
    var progress: Progress = .waiting
    var status: ToolCallItemStatus = .pendingApproval
    var deadline: MonotonicNanoseconds
    /// When its tool was started: from then on it has its own time, however long the backend would wait.
    var startedAt: MonotonicNanoseconds?
    /// When the backend stopped waiting for the call, as far as can be known.
    var settledAt: MonotonicNanoseconds?
    var wasDenied = false
    /// The session was re-created for the sake of this result; a second refusal is final.
    var sessionWasRenewed = false

    /// The bytes of a settled result as JSON; 0 where it is no longer kept.
    var resultBytes: Int?

    /// Whether the result is known to have been sent, and is not kept.
    var isResultForgotten: Bool { isSettled && resultBytes == 0 }

    var measuredResult: Int? {
      guard case .recorded(let payload, _) = progress else { return nil }
      return max(payload.result?.jsonText.utf8.count ?? 0, 1)
    }

    mutating func forgetResult() {
      guard case .recorded(let payload, .settled(let delivery)) = progress else { return }
      let rest = ResolveKitToolResultPayload(
        turnID: payload.turnID, idempotencyKey: payload.idempotencyKey, callID: payload.callID, status: .error,
        error: Self.forgotten)
      progress = .recorded(rest, .settled(delivery))
      resultBytes = 0
    }

    private static let forgotten = "The tool ran once for this call. Its result was delivered, and is no longer kept."

    var isUnfinished: Bool {
      switch progress {
      case .waiting, .approved, .running: true
      case .recorded: false
      }
    }

    var isSettled: Bool {
      if case .recorded(_, .settled) = progress { true } else { false }
    }
  }

  private let capacity: Int
  /// Most bytes of results that are settled.
  private let keptBytes: Int
  private var entries: [ToolCallKey: Entry] = [:]
  private var order: [ToolCallKey] = []

  init(capacity: Int, keptBytes: Int) {
    self.capacity = max(capacity, 1)
    self.keptBytes = keptBytes
  }

  subscript(key: ToolCallKey) -> Entry? { entries[key] }

  /// Changes a call, and keeps each step that must outlive the process, whoever makes it.
  mutating func update(_ key: ToolCallKey, _ effects: inout TurnEffects, _ change: (inout Entry) -> Void) {
    guard var entry = entries[key] else { return }
    let before = entry.progress
    change(&entry)
    if entry.isSettled, entry.resultBytes == nil { entry.resultBytes = entry.measuredResult }
    entries[key] = entry
    Self.keepChange(from: before, to: entry, &effects)
    if entry.isSettled { forgetOldResults(after: key) }
  }

  /// Lets go of the oldest results that are settled, until the rest of them is small enough.
  private mutating func forgetOldResults(after newest: ToolCallKey) {
    var total = entries.values.reduce(0) { $0 + ($1.resultBytes ?? 0) }
    for key in order where total > keptBytes && key != newest {
      guard let entry = entries[key], entry.isSettled, let bytes = entry.resultBytes, bytes > 0 else { continue }
      entries[key]?.forgetResult()
      total -= bytes
    }
  }

  private static func keepChange(from before: Entry.Progress, to entry: Entry, _ effects: inout TurnEffects) {
    let key = entry.call.key
    switch entry.progress {
    case .waiting, .approved: break
    case .running:
      if before != .running { effects.remember(.intended(entry.call)) }
    case .recorded(let payload, let delivery):
      var wasSettled = false
      if case .recorded(_, let earlier) = before {
        if case .settled = earlier { wasSettled = true }
      } else {
        effects.remember(.result(key, payload, entry.status))
      }
      if case .settled(let word) = delivery, !wasSettled {
        effects.remember(.settled(key, word, at: entry.settledAt ?? entry.call.arrivedAt))
      }
    }
  }

  /// Takes up a call of an earlier process as it was left. A start without a result counts as running until it is
  /// decided on.
  mutating func restore(_ call: SessionImage.Call) {
    var entry = Entry(call: call.call, deadline: call.call.arrivedAt)
    switch call.progress {
    case .waiting: break
    case .intended:
      entry.progress = .running
      entry.status = .running
    case .recorded(let payload, let status):
      entry.progress = .recorded(payload, .paused(attempt: 0))
      entry.status = status
    case .settled(let payload, let status, let delivery, let at):
      entry.progress = .recorded(payload, .settled(delivery))
      entry.status = status
      entry.settledAt = at
      entry.resultBytes = entry.measuredResult
    }
    order.append(call.call.key)
    entries[call.call.key] = entry
    forgetOldResults(after: call.call.key)
  }

  /// Forgets a call that has not started, so that it can be taken anew.
  mutating func remove(_ key: ToolCallKey) {
    order.removeAll { $0 == key }
    entries[key] = nil
  }

  /// Remembers a new call. False if the ledger is full of calls that must not be forgotten: those that are not settled,
  /// and those of the same turn, since a replay may bring them again.
  mutating func insert(_ call: ToolCall, _ effects: inout TurnEffects) -> Bool {
    guard entries[call.key] == nil else { return false }
    if order.count >= capacity {
      let forgettable = order.firstIndex { key in
        entries[key]?.isSettled ?? true && !key.turnID.hasSameBytes(as: call.key.turnID)
      }
      guard let forgettable else { return false }
      entries[order.remove(at: forgettable)] = nil
    }
    order.append(call.key)
    entries[call.key] = Entry(call: call, deadline: call.arrivedAt)
    effects.remember(.call(call))
    return true
  }

  /// Keys in order of arrival whose result is not fixed; of one turn, or of all for nil.
  func unfinished(turnID: String?) -> [ToolCallKey] {
    order.filter { key in
      entries[key]?.isUnfinished ?? false && (turnID.map { $0.hasSameBytes(as: key.turnID) } ?? true)
    }
  }

  /// Keys in order of arrival whose result is fixed and not settled.
  var undelivered: [ToolCallKey] {
    order.filter { key in
      guard let entry = entries[key], case .recorded = entry.progress else { return false }
      return !entry.isSettled
    }
  }

  var runningCount: Int { entries.values.count { $0.progress == .running } }

  var nextApproved: ToolCallKey? { order.first { entries[$0]?.progress == .approved } }

  /// The backend awaits a turn's calls in order: the clock of each starts when the one before is settled, at the
  /// latest at that one's deadline. Answers the calls whose deadline changed.
  mutating func recomputeDeadlines(turnID: String) -> [(key: ToolCallKey, deadline: MonotonicNanoseconds)] {
    var changes: [(key: ToolCallKey, deadline: MonotonicNanoseconds)] = []
    var previousEnd: MonotonicNanoseconds = 0
    for key in order where key.turnID.hasSameBytes(as: turnID) {
      guard let entry = entries[key] else { continue }
      let start = max(entry.call.arrivedAt, previousEnd)
      let seconds = entry.call.request.timeoutSeconds
      let runEnd = entry.startedAt?.advanced(bySeconds: seconds) ?? .max
      let deadline = min(start.advanced(bySeconds: seconds), runEnd)
      previousEnd = min(entry.settledAt ?? deadline, deadline)
      guard entry.deadline != deadline else { continue }
      entries[key]?.deadline = deadline
      if entry.isUnfinished { changes.append((key, deadline)) }
    }
    return changes
  }
}
