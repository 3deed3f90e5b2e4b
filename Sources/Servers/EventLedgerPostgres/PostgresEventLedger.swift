package import EventLedger

/// The ledger in PostgreSQL 14 or newer, for many processes.
///
/// Lease times go by the server's clock. What other processes change is heard by `LISTEN`; where that fails, polling
/// finds it.
package final class PostgresEventLedger: EventLedger {
  package let news = LedgerNews()
  /// Tables of one's own in the same database.
  package let rows: PostgresRows
  private let pool: PostgresPool
  private let listener: PostgresListener

  private init(_ pool: PostgresPool, _ url: String, _ limits: PostgresLimits) {
    self.pool = pool
    rows = PostgresRows(pool, news: news)
    listener = PostgresListener(url, limits: limits, news: news)
  }

  deinit { close() }

  /// Opens the ledger in a database, and makes the tables that are missing. Throws ``LedgerError``.
  ///
  /// - Parameter url: `postgresql://user@host/database`, or libpq's other form. Unless it says otherwise the server's
  ///   certificate is verified, with its name, against those that the system trusts. Sockets of the file system need
  ///   none. A password is better left to `~/.pgpass`.
  package static func open(
    _ url: String, limits: PostgresLimits = PostgresLimits(), clock: any Clock<Duration> = ContinuousClock()
  ) async throws -> PostgresEventLedger {
    guard !url.utf8.contains(0), url.contains("=") || url.contains("://") else {
      throw LedgerError(.invalid, "'\(url)' is no address of a database; write postgresql://user@host/database.")
    }
    let pool = PostgresPool(url, limits: limits, clock: clock)
    do { try await pool.use(PostgresSchema.migrate) } catch {
      pool.close()
      throw error
    }
    return PostgresEventLedger(pool, url, limits)
  }

  /// Ends all connections once what runs on them is done.
  package func close() {
    listener.close()
    pool.close()
  }

  package func lease(_ stream: String, to holder: String, for duration: Duration) async throws -> LedgerLease {
    try LedgerLimits.check(stream: stream)
    try LedgerLimits.check(name: holder, "holder")
    let (fence, expiry) = try await outcome(
      "SELECT * FROM ledger_lease($1, $2, $3)", [.text(stream), .text(holder), .integer(Self.span(duration))],
      of: stream
    ).numbers
    return LedgerLease(stream: stream, holder: holder, fence: fence, expiry: WallTime(microseconds: expiry))
  }

  package func renew(_ lease: LedgerLease, for duration: Duration) async throws -> LedgerLease {
    let (_, expiry) = try await outcome(
      "SELECT * FROM ledger_renew($1, $2, $3)",
      [.text(lease.stream), .integer(lease.fence), .integer(Self.span(duration))], of: lease.stream,
      fence: lease.fence
    ).numbers
    return LedgerLease(
      stream: lease.stream, holder: lease.holder, fence: lease.fence, expiry: WallTime(microseconds: expiry))
  }

  package func release(_ lease: LedgerLease) async throws {
    _ = try await answer(
      "UPDATE ledger_streams SET fence = fence + 1, holder = '', expires_at = NULL WHERE name = $1 AND fence = $2",
      [.text(lease.stream), .integer(lease.fence)])
  }

  package func abandonedStreams(prefix: String, limit: Int) async throws -> [String] {
    try await answer(
      """
      SELECT name FROM ledger_streams WHERE expires_at <= ledger_now() AND starts_with(name, $1)
      ORDER BY expires_at LIMIT $2
      """, [.text(prefix), .integer(Int64(max(0, limit)))]
    ).compactMap { $0.text(0) }
  }

  package func append(_ appends: [LedgerAppend]) async throws -> [Result<AppendReceipt, LedgerError>] {
    var results = appends.map { append in
      Result<AppendReceipt, LedgerError> { () throws(LedgerError) in
        try append.check()
        try LedgerLimits.check(stream: append.lease.stream)
        return AppendReceipt(sequences: 0...0, isRepeat: false)
      }
    }
    // Streams are locked in the order of their names: two processes that write to the same ones do not wait for each
    // other for ever. The order within a stream is kept.
    let places = appends.indices.filter { if case .success = results[$0] { true } else { false } }
      .sorted { (appends[$0].lease.stream, $0) < (appends[$1].lease.stream, $1) }
    guard !places.isEmpty else { return results }
    let streams = Array(Set(places.map { appends[$0].lease.stream }))
    // Notified in a transaction of its own: one that notifies holds a lock of the whole server's until its commit is on
    // disk (PostgreSQL's async.c, PreCommit_Notify), so that no two of them would share a flush.
    let answers = try await pool.use { connection in
      try connection.run(
        places.map { Self.statement(appends[$0]) },
        notice: PostgresStatement(
          """
          SELECT pg_notify('ledger', 'a' || last || ' ' || name) FROM ledger_streams
          WHERE name = ANY ($1) AND last > 0 AND NOT is_deleted
          """, [.texts(streams)]))
    }
    for (place, rows) in zip(places, answers) {
      let append = appends[place]
      results[place] = Result { () throws(LedgerError) in
        try Self.receipt(
          PostgresOutcome(rows.first, stream: append.lease.stream, fence: append.lease.fence, key: append.key))
      }
      guard case .success(let receipt) = results[place] else { continue }
      news.post(.appended(stream: append.lease.stream, last: receipt.sequences.upperBound))
    }
    return results
  }

  package func events(of stream: String, after cursor: Int64, limit: Int) async throws -> [LedgerEvent] {
    try LedgerLimits.check(stream: stream)
    // One statement, one snapshot: the extent and the events belong together. The inner sum ends the page.
    let rows = try await answer(
      """
      SELECT s.floor, s.last, s.is_deleted, e.sequence, e.fence, e.at, e.type, e.payload
      FROM ledger_streams s LEFT JOIN LATERAL (
        SELECT * FROM (
          SELECT *, sum(octet_length(payload)) OVER (ORDER BY sequence) - octet_length(payload) AS before FROM (
            SELECT * FROM ledger_events
            WHERE stream_id = s.id AND sequence > greatest($2, s.floor) ORDER BY sequence LIMIT $3
          ) AS page
        ) AS measured WHERE before < $4
      ) AS e ON true
      WHERE s.name = $1 ORDER BY e.sequence
      """,
      [
        .text(stream), .integer(cursor), .integer(Int64(max(0, limit))), .integer(Int64(LedgerLimits.pageBytes)),
      ])
    let extent = try Self.extent(rows.first, of: stream)
    guard cursor >= extent.floor else {
      throw LedgerError(
        .trimmed(floor: extent.floor), "The events of '\(stream)' up to \(extent.floor) were dropped; read from there.")
    }
    guard cursor <= extent.last else {
      throw LedgerError(
        .cursorAhead(last: extent.last),
        "'\(stream)' ends at \(extent.last), before the cursor \(cursor); read it anew.")
    }
    return try rows.filter { $0.bytes(3) != nil }.map { row in
      guard let sequence = row.integer(3), let fence = row.integer(4), let at = row.integer(5), let type = row.text(6),
        let payload = row.bytes(7)
      else { throw PostgresOutcome.unexpected }
      return LedgerEvent(
        sequence: sequence, fence: fence, time: WallTime(microseconds: at), type: type, payload: payload)
    }
  }

  package func extent(of stream: String) async throws -> LedgerExtent {
    try LedgerLimits.check(stream: stream)
    return try Self.extent(
      try await answer("SELECT floor, last, is_deleted FROM ledger_streams WHERE name = $1", [.text(stream)]).first,
      of: stream)
  }

  package func extents(of streams: [String]) async throws -> [String: LedgerExtent] {
    let rows = try await answer(
      "SELECT name, floor, last FROM ledger_streams WHERE name = ANY ($1) AND NOT is_deleted",
      [.texts(streams.filter { !$0.utf8.contains(0) })])
    return rows.reduce(into: [:]) { extents, row in
      guard let name = row.text(0), let floor = row.integer(1), let last = row.integer(2) else { return }
      extents[name] = LedgerExtent(floor: floor, last: last)
    }
  }

  package func trim(_ stream: String, through sequence: Int64) async throws {
    try LedgerLimits.check(stream: stream)
    let (floor, _) = try await outcome(
      "SELECT * FROM ledger_trim($1, $2)", [.text(stream), .integer(sequence)], of: stream
    ).numbers
    news.post(.trimmed(stream: stream, floor: floor))
  }

  package func delete(_ stream: String) async throws {
    try LedgerLimits.check(stream: stream)
    _ = try await outcome("SELECT * FROM ledger_delete($1)", [.text(stream)], of: stream)
    news.post(.deleted(stream: stream))
  }

  package func sweep(limit: Int) async throws -> Int {
    let rows = try await answer("SELECT ledger_sweep($1)", [.integer(Int64(max(0, limit)))])
    return Int(clamping: rows.first?.integer(0) ?? 0)
  }

  package func identity() async throws -> String {
    guard let identity = try await answer("SELECT ledger_identity_now()").first?.text(0) else {
      throw PostgresOutcome.unexpected
    }
    return identity
  }

  private func answer(_ sql: String, _ values: [PostgresValue] = []) async throws -> [PostgresRow] {
    try await pool.use { try $0.run([PostgresStatement(sql, values)]).first ?? [] }
  }

  private func outcome(
    _ sql: String, _ values: [PostgresValue], of stream: String, fence: Int64 = 0
  ) async throws -> PostgresOutcome {
    try PostgresOutcome(await answer(sql, values).first, stream: stream, fence: fence)
  }

  private static func statement(_ append: LedgerAppend) -> PostgresStatement {
    PostgresStatement(
      "SELECT * FROM ledger_append($1, $2, $3, $4, $5, $6)",
      [
        .text(append.lease.stream), .integer(append.lease.fence), .text(append.key),
        .bytes(append.key == nil ? nil : append.digest), .texts(append.drafts.map(\.type)),
        .byteArrays(append.drafts.map(\.payload)),
      ])
  }

  private static func receipt(_ outcome: PostgresOutcome) throws(LedgerError) -> AppendReceipt {
    let (first, last) = outcome.numbers
    guard first > 0, first <= last else { throw PostgresOutcome.unexpected }
    switch outcome {
    case .done: return AppendReceipt(sequences: first...last, isRepeat: false)
    case .repeated: return AppendReceipt(sequences: first...last, isRepeat: true)
    }
  }

  private static func extent(_ row: PostgresRow?, of stream: String) throws(LedgerError) -> LedgerExtent {
    guard let row else { throw LedgerError(.unknownStream, "There is no stream '\(stream)'; a lease makes it.") }
    guard !row.flag(2) else {
      throw LedgerError(.deletedStream, "The stream '\(stream)' was deleted; use another name.")
    }
    guard let floor = row.integer(0), let last = row.integer(1) else { throw PostgresOutcome.unexpected }
    return LedgerExtent(floor: floor, last: last)
  }

  /// Microseconds, within a century: the server adds them to its time.
  private static func span(_ duration: Duration) -> Int64 {
    let century: Int64 = 100 * 365 * 86_400
    return (WallTime(microseconds: 0) + min(max(duration, .seconds(-century)), .seconds(century))).microseconds
  }
}
