/// The newest events of a stream, without gaps, within a number and a size.
struct EventRing {
  private var events: [LedgerEvent] = []
  private(set) var bytes = 0

  /// The approximate size of an event beside its payload and type.
  private static let overhead = 96

  /// The events after a cursor, where the next one is kept: at most `limit`, and none after the one that reaches
  /// ``LedgerLimits/pageBytes``.
  func events(after cursor: Int64, limit: Int) -> ArraySlice<LedgerEvent> {
    guard let first = events.first, let last = events.last, cursor >= first.sequence - 1, cursor < last.sequence else {
      return []
    }
    let start = Int(cursor - (first.sequence - 1))
    var end = start
    var bytes = 0
    while end < events.count, end - start < limit, bytes < LedgerLimits.pageBytes {
      bytes += events[end].payload.count
      end += 1
    }
    return events[start..<end]
  }

  /// Adds events that follow the last, and drops the oldest until the limits are kept.
  mutating func append(_ new: [LedgerEvent], maximumEvents: Int, maximumBytes: Int) {
    events += new
    bytes += new.reduce(0) { $0 + Self.cost($1) }
    var excess = max(0, events.count - max(0, maximumEvents))
    var left = bytes - events.prefix(excess).reduce(0) { $0 + Self.cost($1) }
    while left > maximumBytes, excess < events.count {
      left -= Self.cost(events[excess])
      excess += 1
    }
    events.removeFirst(excess)
    bytes = left
  }

  /// Drops the events up to a number.
  mutating func removeAll(through floor: Int64) {
    let kept = events.drop { $0.sequence <= floor }
    guard kept.count < events.count else { return }
    events = Array(kept)
    bytes = events.reduce(0) { $0 + Self.cost($1) }
  }

  mutating func removeAll() { self = EventRing() }

  private static func cost(_ event: LedgerEvent) -> Int { event.payload.count + event.type.utf8.count + overhead }
}
