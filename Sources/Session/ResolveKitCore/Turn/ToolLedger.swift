/// Every call that is remembered, by key: what was asked, how far it went, what was answered. A key is never used twice,
/// so a tool starts at most once for it.
struct ToolLedger: Equatable, Sendable {
  private let capacity: Int
  /// Most bytes of results that are settled.
  private let keptBytes: Int
  private var entries: [ToolCallKey: CallEntry] = [:]
  private var order: [ToolCallKey] = []

  init(capacity: Int, keptBytes: Int) {
    self.capacity = max(capacity, 1)
    self.keptBytes = keptBytes
  }

  subscript(key: ToolCallKey) -> CallEntry? { entries[key] }

  /// Changes a call, and keeps each step that must outlive the process, from any source. Nil where the call is unknown.
  @discardableResult
  mutating func update<Answer>(
    _ key: ToolCallKey, _ effects: inout TurnEffects, _ change: (inout CallEntry) -> Answer
  ) -> Answer? {
    guard var entry = entries[key] else { return nil }
    let before = entry.progress
    let answer = change(&entry)
    entries[key] = entry
    Self.keepChange(from: before, to: entry, &effects)
    if entry.isSettled { forgetOldResults(after: key) }
    return answer
  }

  /// Releases the oldest settled results, until the rest of them is small enough.
  private mutating func forgetOldResults(after newest: ToolCallKey) {
    var total = entries.values.reduce(0) { $0 + ($1.resultBytes ?? 0) }
    for key in order where total > keptBytes && key != newest {
      guard let entry = entries[key], entry.isSettled, let bytes = entry.resultBytes, bytes > 0 else { continue }
      entries[key]?.forgetResult()
      total -= bytes
    }
  }

  private static func keepChange(from before: CallEntry.Progress, to entry: CallEntry, _ effects: inout TurnEffects) {
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

  // MARK: Calls

  /// Takes up a call of an earlier process as it was left.
  mutating func restore(_ call: SessionImage.Call) {
    order.append(call.call.key)
    entries[call.call.key] = CallEntry(restoring: call)
    forgetOldResults(after: call.call.key)
  }

  /// Takes a call again that has not started. It keeps its place: the backend awaits the calls of a turn in their order.
  mutating func renew(_ call: ToolCall, _ effects: inout TurnEffects) {
    guard entries[call.key] != nil else { return }
    entries[call.key] = CallEntry(call)
    effects.remember(.call(call))
  }

  /// Forgets a call that has not started.
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
    entries[call.key] = CallEntry(call)
    effects.remember(.call(call))
    return true
  }

  /// Keys in order of arrival whose result is not fixed; of one turn, or of all for nil.
  func unfinished(turnID: String?) -> [ToolCallKey] {
    order.filter { key in
      entries[key]?.isUnfinished ?? false && (turnID.map { $0.hasSameBytes(as: key.turnID) } ?? true)
    }
  }

  /// The backend awaits a turn's calls in order: the clock of each starts when the one before is settled, at the
  /// latest at that one's deadline. Schedules the deadlines that change.
  mutating func scheduleDeadlines(turnID: String, _ effects: inout TurnEffects) {
    var previousEnd: MonotonicNanoseconds = 0
    for key in order where key.turnID.hasSameBytes(as: turnID) {
      guard let entry = entries[key] else { continue }
      let deadline = entry.deadline(after: previousEnd)
      previousEnd = min(entry.settledAt ?? deadline, deadline)
      guard entry.deadline != deadline else { continue }
      entries[key]?.move(to: deadline)
      if entry.isUnfinished { effects.emit(.scheduleDeadline(.toolCall(key), at: deadline)) }
    }
  }

  // MARK: Deliveries

  /// Keys in order of arrival whose result is fixed and not settled.
  var undelivered: [ToolCallKey] {
    order.filter { key in
      guard let entry = entries[key], case .recorded = entry.progress else { return false }
      return !entry.isSettled
    }
  }

  /// Takes the final outcome of a result. Returns whether it was unknown before.
  mutating func settle(
    _ key: ToolCallKey, _ delivery: ResultDelivery, at now: MonotonicNanoseconds, _ effects: inout TurnEffects
  ) -> Bool {
    guard let entry = entries[key], !entry.isUnfinished, !entry.isSettled else { return false }
    update(key, &effects) { $0.settle(delivery, at: now) }
    effects.emit(.cancelDeadline(.resultRetry(key)))
    effects.emit(.resultSettled(key, delivery))
    scheduleDeadlines(turnID: key.turnID, &effects)
    return true
  }

  /// Sends a result again that waits for that.
  mutating func retryResult(_ key: ToolCallKey, _ effects: inout TurnEffects) {
    guard let payload = update(key, &effects, { $0.retry() }) ?? nil else { return }
    effects.emit(.cancelDeadline(.resultRetry(key)))
    effects.emit(.deliverResult(key, payload))
  }

  /// Abandons the results of one turn, those on their way keeping their answer, or of all turns for nil.
  mutating func abandonDeliveries(of turnID: String?, _ effects: inout TurnEffects) {
    for key in undelivered where turnID.map({ $0.hasSameBytes(as: key.turnID) }) ?? true {
      if case .recorded(_, .inFlight) = entries[key]?.progress, turnID != nil { continue }
      effects.emit(.cancelDeadline(.resultRetry(key)))
      update(key, &effects) { $0.abandonDelivery() }
      effects.emit(.resultSettled(key, .abandoned))
    }
  }
}
