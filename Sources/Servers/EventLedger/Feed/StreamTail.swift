/// The end of one followed stream: its newest events, and the readers that wait for more.
///
/// The end is not known at first, and again after every surprise: a deletion, a restore, a gap, failures. Readers then
/// read for themselves, which tells each what is true for its own cursor, and the first that comes through establishes
/// the end again.
struct StreamTail {
  private enum Reading {
    case idle
    case fetching
    /// Many readers were woken, and are given time before they are woken again.
    case resting
  }

  /// Tells this tail from earlier and later ones of the same stream.
  let number: Int
  private(set) var readerCount = 0
  private(set) var ring = EventRing()
  private(set) var end: Int64?
  private var waiting: [Int: Int64] = [:]
  /// Whether the stream may have more than `end`.
  private var mayHaveMore = false
  /// Whether the last fetch brought a whole page, behind which there may be many more.
  private var isBehind = false
  private var reading = Reading.idle
  /// Whether events came since the last poll.
  private var isFresh = false
  private var failures = 0

  init(number: Int) {
    self.number = number
  }

  var isAwaited: Bool { !waiting.isEmpty }

  /// The next step of a reader.
  func offer(after cursor: Int64, _ standing: FeedCursor.Standing, limit: Int) -> FeedOffer {
    guard let end else {
      switch standing {
      case .claimed: return .read
      case .reached, .atEnd: return .wait
      }
    }
    if cursor < end {
      let events = ring.events(after: cursor, limit: limit)
      return events.isEmpty ? .read : .events(Array(events))
    }
    switch standing {
    case .claimed where cursor > end: return .read
    case .claimed, .reached, .atEnd: return .wait
    }
  }

  mutating func sit() { readerCount += 1 }

  mutating func rise(_ reader: Int) {
    readerCount -= 1
    waiting[reader] = nil
  }

  /// Lets a reader wait for an event after its cursor, where ``offer(after:_:limit:)`` said so, and returns the readers that
  /// this wakes.
  ///
  /// A reader that has read further than the tail waits for the fetch that all share, or all would continue reading for
  /// themselves while events come. Where the tail is far behind, it is the tail that moves.
  mutating func wait(
    _ reader: Int, after cursor: Int64, _ standing: FeedCursor.Standing, limits: FeedLimits
  ) -> [Int] {
    waiting[reader] = cursor
    guard let end else {
      end = cursor
      switch standing {
      case .claimed, .atEnd: break
      case .reached: mayHaveMore = true
      }
      return []
    }
    guard cursor > end else { return [] }
    mayHaveMore = true
    guard cursor - end > Int64(limits.pageEvents) else { return [] }
    self.end = cursor
    ring.removeAll()
    return removeWaiting { $0 < cursor }
  }

  mutating func stopWaiting(_ reader: Int) { waiting[reader] = nil }

  /// The stream is said to end with this event.
  mutating func reported(last: Int64) {
    if let end, last <= end { return }
    mayHaveMore = true
  }

  mutating func trimmed(floor: Int64) { ring.removeAll(through: floor) }

  /// The cursor after which events are to be fetched; nil where that is under way or has to wait, or nobody waits for it.
  mutating func startFetch() -> Int64? {
    guard mayHaveMore, case .idle = reading, !waiting.isEmpty, let end else { return nil }
    mayHaveMore = false
    reading = .fetching
    return end
  }

  /// Puts the next fetch off until ``endRest()``, though events came during the last one; false where that brought a whole
  /// page, or another is under way.
  mutating func rest() -> Bool {
    guard case .idle = reading, !isBehind else { return false }
    reading = .resting
    return true
  }

  mutating func endRest() {
    if case .resting = reading { reading = .idle }
  }

  /// Takes what a fetch brought, and returns the readers that it wakes.
  mutating func fetched(_ page: [LedgerEvent], after cursor: Int64, limits: FeedLimits, room: Int) -> [Int] {
    reading = .idle
    failures = 0
    guard cursor == end else { return [] }
    guard let last = page.last?.sequence else {
      // A reader that was further: the ledger went back.
      return !mayHaveMore && waiting.values.contains { $0 > cursor } ? reset() : []
    }
    guard page.first?.sequence == cursor + 1, last == cursor + Int64(page.count) else { return reset() }
    let bytes = page.reduce(0) { $0 + $1.payload.count }
    isBehind = page.count >= limits.pageEvents || bytes >= LedgerLimits.pageBytes
    mayHaveMore = mayHaveMore || isBehind
    ring.append(page, maximumEvents: limits.tailEvents, maximumBytes: room)
    end = last
    isFresh = true
    return removeWaiting { $0 < last }
  }

  /// A fetch failed for a reason that may pass; after too many in a row, returns the readers, which read for themselves.
  mutating func fetchFailed(limit: Int) -> [Int] {
    reading = .idle
    return failed(limit: limit)
  }

  mutating func failed(limit: Int) -> [Int] {
    failures += 1
    return failures < limit ? [] : reset()
  }

  /// A fetch was refused: the stream is not what it was.
  mutating func fetchRefused() -> [Int] {
    reading = .idle
    return reset()
  }

  /// Takes what a poll found of a stream that ended with `end` when it began.
  mutating func polled(_ extent: LedgerExtent?, end known: Int64) -> [Int] {
    // Deleted, or behind what was there before: another database in this one's place.
    guard let extent, extent.last >= known else { return reset() }
    trimmed(floor: extent.floor)
    reported(last: extent.last)
    if !mayHaveMore { failures = 0 }
    // Events that no reader took in the time of a poll are read from the ledger.
    if isFresh { isFresh = false } else { ring.removeAll() }
    return []
  }

  /// Forgets the stream's end, and returns all readers that wait.
  mutating func reset() -> [Int] {
    end = nil
    ring.removeAll()
    failures = 0
    // The next reader to establish the end may have read before this happened.
    mayHaveMore = true
    return removeWaiting { _ in true }
  }

  private mutating func removeWaiting(_ isToWake: (Int64) -> Bool) -> [Int] {
    let woken = waiting.filter { isToWake($0.value) }.keys.sorted()
    for reader in woken { waiting[reader] = nil }
    return woken
  }
}
