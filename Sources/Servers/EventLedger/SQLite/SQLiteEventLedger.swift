import Foundation
package import GRDB

/// The ledger in SQLite: the embedded default.
package final class SQLiteEventLedger: EventLedger {
  private let database: any DatabaseWriter
  private let now: @Sendable () -> WallTime
  package let news = LedgerNews()

  /// Tables of one's own in the same database.
  package var rows: SQLiteRows { SQLiteRows(database, news: news) }

  /// Takes a database of the ledger's own that is durable at every commit, and makes the ledger's tables where they are
  /// missing. A database that ``backup(to:)`` wrote gets an identity of its own.
  package convenience init(
    _ database: any DatabaseWriter, now: @escaping @Sendable () -> WallTime = { .current }
  ) throws {
    try LedgerSchema.migrate(database)
    try self.init(migrated: database, now: now)
  }

  /// Takes a database with tables of others, to which ``LedgerSchema/register(in:)`` has added the ledger's.
  package init(migrated database: any DatabaseWriter, now: @escaping @Sendable () -> WallTime = { .current }) throws {
    try database.write { try LedgerIdentity.renewWhereCopied($0) }
    self.database = database
    self.now = now
  }

  package func lease(_ stream: String, to holder: String, for duration: Duration) async throws -> LedgerLease {
    try LedgerLimits.check(stream: stream)
    try LedgerLimits.check(name: holder, "holder")
    let now = now()
    return try await write { database in
      try database.execute(sql: "INSERT OR IGNORE INTO ledger_streams (name) VALUES (?)", arguments: [stream])
      let row = try StreamRow(stream, database)
      if let expiry = row.expiry, expiry > now, row.holder != holder {
        throw LedgerError(
          .leased(until: expiry), "'\(row.holder)' holds the lease on '\(stream)' until \(expiry.zulu).")
      }
      let lease = LedgerLease(stream: stream, holder: holder, fence: row.fence + 1, expiry: now + duration)
      try database.execute(
        sql: "UPDATE ledger_streams SET fence = ?, holder = ?, expires_at = ? WHERE id = ?",
        arguments: [lease.fence, holder, lease.expiry.microseconds, row.id])
      return lease
    }
  }

  package func renew(_ lease: LedgerLease, for duration: Duration) async throws -> LedgerLease {
    let expiry = now() + duration
    return try await write { database in
      let row = try StreamRow(lease.stream, database)
      try row.check(lease)
      try database.execute(
        sql: "UPDATE ledger_streams SET expires_at = ? WHERE id = ?", arguments: [expiry.microseconds, row.id])
      return LedgerLease(stream: lease.stream, holder: lease.holder, fence: lease.fence, expiry: expiry)
    }
  }

  package func release(_ lease: LedgerLease) async throws {
    try await write { database in
      try database.execute(
        sql: "UPDATE ledger_streams SET fence = fence + 1, holder = '', expires_at = NULL WHERE name = ? AND fence = ?",
        arguments: [lease.stream, lease.fence])
    }
  }

  package func abandonedStreams(prefix: String, limit: Int) async throws -> [String] {
    let now = now()
    return try await read { database in
      try String.fetchAll(
        database,
        sql: """
          SELECT name FROM ledger_streams WHERE expires_at <= ? AND substr(name, 1, ?) = ?
          ORDER BY expires_at LIMIT ?
          """, arguments: [now.microseconds, prefix.utf8.count, prefix, max(0, limit)])
    }
  }

  package func append(_ appends: [LedgerAppend]) async throws -> [Result<AppendReceipt, LedgerError>] {
    let now = now()
    let results = try await write { database in
      try appends.map { append throws -> Result<AppendReceipt, LedgerError> in
        do { return .success(try Self.apply(append, at: now, database)) } catch let error as LedgerError {
          // Refused before anything was written for it.
          return .failure(error)
        }
      }
    }
    for (append, result) in zip(appends, results) {
      guard case .success(let receipt) = result else { continue }
      news.post(.appended(stream: append.lease.stream, last: receipt.sequences.upperBound))
    }
    return results
  }

  private static func apply(
    _ append: LedgerAppend, at now: WallTime, _ database: Database
  ) throws -> AppendReceipt {
    try append.check()
    let row = try StreamRow(append.lease.stream, database)
    try row.check(append.lease)
    let digest = append.key == nil ? nil : append.digest
    if let key = append.key, let digest, let known = try receipt(of: key, digest, row, database) { return known }
    let insertion = try database.cachedStatement(sql: "INSERT INTO ledger_events VALUES (?, ?, ?, ?, ?, ?)")
    for (index, draft) in append.drafts.enumerated() {
      try insertion.execute(arguments: [
        row.id, row.last + 1 + Int64(index), append.lease.fence, now.microseconds, draft.type, Data(draft.payload),
      ])
    }
    let sequences = row.last + 1...row.last + Int64(append.drafts.count)
    try database.execute(
      sql: "UPDATE ledger_streams SET last = ? WHERE id = ?", arguments: [sequences.upperBound, row.id])
    if let key = append.key, let digest {
      try database.execute(
        sql: "INSERT OR REPLACE INTO ledger_keys VALUES (?, ?, ?, ?, ?)",
        arguments: [row.id, key, Data(digest), sequences.lowerBound, sequences.upperBound])
    }
    return AppendReceipt(sequences: sequences, isRepeat: false)
  }

  package func events(of stream: String, after cursor: Int64, limit: Int) async throws -> [LedgerEvent] {
    try await read { database in
      let row = try StreamRow(stream, database)
      guard cursor >= row.floor else {
        throw LedgerError(
          .trimmed(floor: row.floor), "The events of '\(stream)' up to \(row.floor) were dropped; read from there.")
      }
      guard cursor <= row.last else {
        throw LedgerError(
          .cursorAhead(last: row.last), "'\(stream)' ends at \(row.last), before the cursor \(cursor); read it anew.")
      }
      let rows = try Row.fetchCursor(
        database, sql: "SELECT * FROM ledger_events WHERE stream_id = ? AND sequence > ? ORDER BY sequence LIMIT ?",
        arguments: [row.id, cursor, max(0, limit)])
      var events: [LedgerEvent] = []
      var bytes = 0
      while bytes < LedgerLimits.pageBytes, let row = try rows.next() {
        let payload: Data = row["payload"]
        bytes += payload.count
        events.append(
          LedgerEvent(
            sequence: row["sequence"], fence: row["fence"], time: WallTime(microseconds: row["at"]), type: row["type"],
            payload: Array(payload)))
      }
      return events
    }
  }

  package func extent(of stream: String) async throws -> LedgerExtent {
    try await read { database in
      let row = try StreamRow(stream, database)
      return LedgerExtent(floor: row.floor, last: row.last)
    }
  }

  package func extents(of streams: [String]) async throws -> [String: LedgerExtent] {
    try await read { database in
      let statement = try database.cachedStatement(
        sql: "SELECT floor, last FROM ledger_streams WHERE name = ? AND is_deleted = 0")
      var extents: [String: LedgerExtent] = [:]
      for stream in streams {
        guard let row = try Row.fetchOne(statement, arguments: [stream]) else { continue }
        extents[stream] = LedgerExtent(floor: row["floor"], last: row["last"])
      }
      return extents
    }
  }

  package func trim(_ stream: String, through sequence: Int64) async throws {
    let floor = try await write { database in
      let row = try StreamRow(stream, database)
      let floor = max(row.floor, min(sequence, row.last))
      try database.execute(sql: "UPDATE ledger_streams SET floor = ? WHERE id = ?", arguments: [floor, row.id])
      return floor
    }
    news.post(.trimmed(stream: stream, floor: floor))
  }

  package func delete(_ stream: String) async throws {
    try await write { database in
      let row = try StreamRow(stream, database)
      try database.execute(
        sql: "UPDATE ledger_streams SET floor = last, is_deleted = 1, holder = '', expires_at = NULL WHERE id = ?",
        arguments: [row.id])
    }
    news.post(.deleted(stream: stream))
  }

  package func sweep(limit: Int) async throws -> Int {
    try await write { database in
      guard
        let row = try Row.fetchOne(
          database, sql: "SELECT id, floor, swept FROM ledger_streams WHERE swept < floor ORDER BY id LIMIT 1")
      else { return 0 }
      let id: Int64 = row["id"]
      let swept: Int64 = row["swept"]
      let end = swept + min((row["floor"] as Int64) - swept, Int64(max(0, limit)))
      try database.execute(
        sql: "DELETE FROM ledger_events WHERE stream_id = ? AND sequence <= ?", arguments: [id, end])
      let count = database.changesCount
      try database.execute(sql: "DELETE FROM ledger_keys WHERE stream_id = ? AND last <= ?", arguments: [id, end])
      try database.execute(sql: "UPDATE ledger_streams SET swept = ? WHERE id = ?", arguments: [end, id])
      return count
    }
  }

  package func identity() async throws -> String {
    try await read { try LedgerIdentity.current($0) }
  }

  /// Writes a copy of the database to a file that does not exist, without stalling appends.
  ///
  /// To restore it, put it in the database's place while nothing has that open; ``RestoredDatabase`` removes what was left
  /// beside it.
  package func backup(to path: String) async throws {
    do { try await LedgerBackup.write(database, to: path) } catch let error as DatabaseError {
      throw LedgerError(error)
    }
  }

  private func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
    do { return try await database.wholeRead(body) } catch let error as DatabaseError { throw LedgerError(error) }
  }

  private func write<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
    do { return try await database.wholeWrite(body) } catch let error as DatabaseError { throw LedgerError(error) }
  }

  /// The receipt of a key's first append; nil where the key is new, or its events were dropped.
  private static func receipt(
    of key: String, _ digest: [UInt8], _ stream: StreamRow, _ database: Database
  ) throws -> AppendReceipt? {
    let row = try Row.fetchOne(
      database, sql: "SELECT * FROM ledger_keys WHERE stream_id = ? AND key = ? AND last > ?",
      arguments: [stream.id, key, stream.floor])
    guard let row else { return nil }
    guard row["digest"] == Data(digest) else {
      throw LedgerError(.keyReused, "The key '\(key)' was used for other events; give these another.")
    }
    return AppendReceipt(sequences: row["first"]...row["last"], isRepeat: true)
  }
}
