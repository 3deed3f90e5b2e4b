/// Durable, ordered streams of events, each appended to by the holder of its lease alone.
///
/// A sequence number is given in the transaction that stores the event: a stream has no gaps, and a reader that saw an
/// event has seen all before it. All methods throw ``LedgerError``, and `CancellationError` where the caller's task was
/// cancelled; what was begun by then is completed.
package protocol EventLedger: FeedSource {
  /// Gives the right to append to a stream, which is made where there is none of this name.
  ///
  /// Refused while another holder's lease runs. The holder itself gets a new one at any time, so that a restarted
  /// process need not wait for the lease of its former self.
  func lease(_ stream: String, to holder: String, for duration: Duration) async throws -> LedgerLease

  /// Extends a lease, even an expired one, unless it was released or a later one was given.
  func renew(_ lease: LedgerLease, for duration: Duration) async throws -> LedgerLease

  /// Ends a lease early: nothing is appended under it any more. Without effect where a later one was given.
  func release(_ lease: LedgerLease) async throws

  /// At most `limit` streams whose leases expired and were not released, the longest expired first, of those whose names
  /// begin so: programs that share a ledger do not look through each other's.
  func abandonedStreams(prefix: String, limit: Int) async throws -> [String]

  /// Appends in one transaction, in order: each append all or none, with a receipt or an error of its own in the same
  /// place. When this returns, the events survive a crash. When it throws, nothing was stored, unless the error is
  /// `unavailable` and says otherwise.
  func append(_ appends: [LedgerAppend]) async throws -> [Result<AppendReceipt, LedgerError>]

  /// The events of a stream that are kept.
  func extent(of stream: String) async throws -> LedgerExtent

  /// Drops the events up to a sequence number for readers; ``sweep(limit:)`` frees their room.
  func trim(_ stream: String, through sequence: Int64) async throws

  /// Drops a stream for everybody; ``sweep(limit:)`` frees its room. Its name is not used again, so that an old cursor
  /// never meets new events.
  func delete(_ stream: String) async throws

  /// Removes at most `limit` events that were dropped, and returns how many: in small steps, appends wait for none long.
  func sweep(limit: Int) async throws -> Int

  /// The name of the database's history. A database that was restored from a backup has another: an old cursor can meet
  /// new events in it, so that a holder of cursors keeps this with them.
  func identity() async throws -> String
}

extension EventLedger {
  /// Appends in order, all or none. When this returns, the events survive a crash.
  ///
  /// - Parameter key: repeating an append under its key returns the first one's receipt and stores nothing. A key is
  ///   known as long as the last of its events is kept.
  package func append(_ drafts: [LedgerDraft], under lease: LedgerLease, key: String?) async throws -> AppendReceipt {
    let results = try await append([LedgerAppend(drafts, under: lease, key: key)])
    guard let result = results.first else {
      throw LedgerError(.database, "The ledger gave no result for an append; report this.")
    }
    return try result.get()
  }
}
