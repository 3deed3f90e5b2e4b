/// The rules of an append queue: what is written together, what is tried again. Pure.
///
/// One batch is written at a time and entries leave in the order in which they came, retried ones first: a stream's
/// events are in the order of the calls.
struct AppendCore {
  /// An append that waits, as far as the rules see it.
  private struct Entry {
    let number: Int
    let bytes: Int
    let hasKey: Bool
    var attempts = 0
  }

  private enum State {
    case idle
    case writing([Entry])
    /// Nothing is written for a while, because the database failed.
    case pausing
  }

  /// The consequence of a batch that failed as a whole.
  struct Failure: Equatable {
    /// These get the error.
    let refused: [Int]
    /// The wait before the rest is tried again.
    let pause: Duration
  }

  private let limits: AppendLimits
  private var state = State.idle
  private var queue: [Entry] = []
  private var count = 0
  private(set) var appends = 0
  private(set) var bytes = 0

  init(limits: AppendLimits) {
    self.limits = limits
  }

  /// A number for an append that comes.
  mutating func nextNumber() -> Int {
    count += 1
    return count
  }

  /// Takes an append in.
  mutating func add(_ number: Int, bytes: Int, hasKey: Bool) throws(LedgerError) {
    guard appends < limits.queuedAppends, appends == 0 || self.bytes + bytes <= limits.queuedBytes else {
      throw LedgerError(
        .exhausted,
        "\(appends) appends with \(self.bytes) bytes wait for the ledger, which is the most; try again later.")
    }
    appends += 1
    self.bytes += bytes
    queue.append(Entry(number: number, bytes: bytes, hasKey: hasKey))
  }

  /// Removes an append that is not being written; false where it is, or was.
  mutating func remove(_ number: Int) -> Bool {
    guard let index = queue.firstIndex(where: { $0.number == number }) else { return false }
    forget(queue.remove(at: index))
    return true
  }

  /// The appends to write now, in order; nil where there are none, or others are being written.
  mutating func nextBatch() -> [Int]? {
    guard case .idle = state, !queue.isEmpty else { return nil }
    var length = 0
    var sum = 0
    for entry in queue.prefix(limits.batchAppends) {
      sum += entry.bytes
      guard length == 0 || sum <= limits.batchBytes else { break }
      length += 1
    }
    let batch = Array(queue.prefix(length))
    queue.removeFirst(length)
    state = .writing(batch)
    return batch.map(\.number)
  }

  /// The batch was written, or each of its appends refused by the ledger.
  mutating func written() {
    guard case .writing(let batch) = state else { return }
    batch.forEach { forget($0) }
    state = .idle
  }

  /// The batch failed as a whole. An append that may have happened is tried again only under a key, which finds it.
  mutating func failed(_ code: LedgerError.Code?) -> Failure {
    guard case .writing(let batch) = state else { return Failure(refused: [], pause: .zero) }
    var refused: [Int] = []
    var retried: [Entry] = []
    for var entry in batch {
      entry.attempts += 1
      if entry.attempts < limits.attempts, mayRetry(entry, code) {
        retried.append(entry)
      } else {
        refused.append(entry.number)
        forget(entry)
      }
    }
    guard let attempts = retried.map(\.attempts).max() else {
      state = .idle
      return Failure(refused: refused, pause: .zero)
    }
    state = .pausing
    queue = retried + queue
    let pause = min(limits.pause * (1 << min(attempts - 1, 20)), limits.longestPause)
    return Failure(refused: refused, pause: pause)
  }

  /// The pause is over.
  mutating func resume() {
    if case .pausing = state { state = .idle }
  }

  private func mayRetry(_ entry: Entry, _ code: LedgerError.Code?) -> Bool {
    switch code {
    case .unavailable(let mayHaveHappened): entry.hasKey || !mayHaveHappened
    case .fenced, .leased, .unknownStream, .deletedStream, .keyReused, .trimmed, .cursorAhead, .invalid, .exhausted,
      .database, nil:
      false
    }
  }

  private mutating func forget(_ entry: Entry) {
    appends -= 1
    bytes -= entry.bytes
  }
}
