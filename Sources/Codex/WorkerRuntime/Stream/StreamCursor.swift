import EventLedger

/// The place at which a reader of a worker's events begins, by the contract's rules. Pure.
struct StreamCursor: Equatable, Sendable {
  /// The sequence number of the last event that the reader has.
  let position: Int64
  /// The position that the ledger reads after: the same, unless the reader is ahead of the stream.
  let start: Int64

  /// Throws ``WorkerError`` for cursors that differ, and for one whose next event is no longer kept.
  ///
  /// - Parameters:
  ///   - query: `cursor` of the query.
  ///   - field: `Last-Event-ID`.
  init(query: Int64?, field: Int64?, extent: LedgerExtent) throws(WorkerError) {
    if let query, let field, query != field {
      throw WorkerError(.invalidRequest, "cursor query and Last-Event-ID must match")
    }
    // Without a cursor: from now on, and nothing of before.
    position = query ?? field ?? extent.last
    guard position >= extent.floor else { throw WorkerError.staleCursor(floor: extent.floor) }
    start = min(position, extent.last)
  }

  /// A cursor's text. Throws ``WorkerError`` for what is no whole number of 0 or more.
  static func parse(_ text: String, _ what: String) throws(WorkerError) -> Int64 {
    guard (1...19).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let number = Int64(text)
    else { throw WorkerError(.invalidRequest, "\(what) must be a non-negative integer") }
    return number
  }
}
