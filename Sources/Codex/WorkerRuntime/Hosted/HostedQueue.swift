import EventLedger

/// The writes of a hosted worker that wait for the ledger: in order, events within a number and a size. Pure.
///
/// A receipt is never left out: no more than requests wait, and each has its limit. Events beyond the limit are left
/// out and counted; an event that says so comes in their place.
struct HostedQueue: Sendable {
  /// One write.
  enum Batch: Equatable, Sendable {
    /// - key: under which a repetition is known.
    case events([LedgerDraft], key: Int)
    case receipt(Receipt)
    /// Codex can be asked from here on.
    case start
  }

  private enum Entry: Equatable {
    case event(LedgerDraft)
    case receipt(Receipt)
    case start
  }

  static let maximumEvents = 4_096
  static let maximumBytes = 16 << 20
  private static let batchEvents = 100
  private static let batchBytes = 1 << 20

  /// Makes the event that says how many events are left out.
  private let gap: @Sendable (Int) -> LedgerDraft
  private var entries: [Entry] = []
  private var writing: Batch?
  private var batches = 0
  private var bytes = 0
  /// Events that wait.
  private(set) var events = 0
  private var missing = 0
  /// Events that were left out, in all.
  private(set) var lost = 0

  init(gap: @escaping @Sendable (Int) -> LedgerDraft) { self.gap = gap }

  /// Whether another event would be left out.
  var isFull: Bool { events >= Self.maximumEvents || bytes >= Self.maximumBytes }

  var isEmpty: Bool { writing == nil && entries.isEmpty && missing == 0 }

  /// Adds an event. Returns false where it is left out.
  mutating func add(_ draft: LedgerDraft) -> Bool {
    guard !isFull else {
      missing += 1
      lost += 1
      return false
    }
    addGap()
    append(draft)
    return true
  }

  mutating func add(_ receipt: Receipt) { entries.append(.receipt(receipt)) }

  mutating func addStart() { entries.append(.start) }

  /// The next write, the same one until ``written()``; nil where there is none.
  mutating func next() -> Batch? {
    if let writing { return writing }
    if entries.isEmpty { addGap() }
    var drafts: [LedgerDraft] = []
    var size = 0
    while case .event(let draft)? = entries.first, drafts.count < Self.batchEvents,
      drafts.isEmpty || size + draft.payload.count <= Self.batchBytes
    {
      drafts.append(draft)
      size += draft.payload.count
      entries.removeFirst()
    }
    if !drafts.isEmpty {
      batches += 1
      writing = .events(drafts, key: batches)
    } else if !entries.isEmpty {
      switch entries.removeFirst() {
      case .receipt(let receipt): writing = .receipt(receipt)
      case .start: writing = .start
      case .event: break
      }
    }
    return writing
  }

  /// The write that ``next()`` gave is done with.
  mutating func written() {
    if case .events(let drafts, _) = writing {
      events -= drafts.count
      bytes -= drafts.reduce(0) { $0 + $1.payload.count }
    }
    writing = nil
  }

  private mutating func addGap() {
    guard missing > 0 else { return }
    append(gap(missing))
    missing = 0
  }

  private mutating func append(_ draft: LedgerDraft) {
    entries.append(.event(draft))
    events += 1
    bytes += draft.payload.count
  }
}
