package import EventLedger
package import GRDB
import ResolveKitCore
import Synchronization

/// The log in SQLite. `AUTOINCREMENT` keeps the greatest id ever given in a table of its own, so that ids go on after
/// pruning and after a crash (sqlite.org/autoinc.html § 3).
package final class SQLiteEventLog: EventLog {
  private struct Waiting {
    var drafts: [EventDraft]
    var continuation: CheckedContinuation<[StoredEvent], any Error>
  }

  private struct Queue {
    var waiting: [Waiting] = []
    var isWriting = false
  }

  private let database: any DatabaseWriter
  private let queue = Mutex(Queue())

  package init(_ database: any DatabaseWriter) {
    self.database = database
  }

  /// Appends of concurrent turns that arrive while a transaction is being written share the next one: one flush to disk
  /// for all of them.
  package func append(_ drafts: [EventDraft]) async throws -> [StoredEvent] {
    try await withCheckedThrowingContinuation { continuation in
      let mustStart = queue.withLock { queue in
        queue.waiting.append(Waiting(drafts: drafts, continuation: continuation))
        defer { queue.isWriting = true }
        return !queue.isWriting
      }
      // Not the caller's task: cancelling one turn must not lose what others wait for.
      if mustStart { Task { await writeAll() } }
    }
  }

  private func writeAll() async {
    while let batch = nextBatch() {
      let drafts = batch.flatMap(\.drafts)
      do {
        var events = try await database.wholeWrite { database in
          try drafts.map { try EventRow.insert($0, into: database) }
        }[...]
        for waiting in batch {
          waiting.continuation.resume(returning: Array(events.prefix(waiting.drafts.count)))
          events = events.dropFirst(waiting.drafts.count)
        }
      } catch {
        for waiting in batch { waiting.continuation.resume(throwing: error) }
      }
    }
  }

  private func nextBatch() -> [Waiting]? {
    queue.withLock { queue in
      guard !queue.waiting.isEmpty else {
        queue.isWriting = false
        return nil
      }
      defer { queue.waiting = [] }
      return queue.waiting
    }
  }

  package func page(of sessionID: String, from position: LogPosition, limit: Int) async throws -> LogPage {
    try await database.wholeRead { database in
      let rows = try Row.fetchCursor(
        database,
        sql: "SELECT * FROM events WHERE session_id = ? AND id > ? ORDER BY id LIMIT ?",
        arguments: [sessionID, position.cursor.number, max(0, limit)])
      var page = LogPage(position)
      while !page.isFull, let row = try rows.next() {
        page.append(try EventRow.event(row, &page.position.spoken, database))
      }
      return page
    }
  }

  package func extent(of sessionID: String) async throws -> EventExtent {
    try await database.wholeRead { database in
      let floor = try Int64.fetchOne(
        database, sql: "SELECT floor FROM event_floors WHERE session_id = ?", arguments: [sessionID])
      let last = try Int64.fetchOne(database, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'events'")
      return EventExtent(floor: EventID(floor ?? 0), last: EventID(last ?? 0))
    }
  }

  package func lastEvent(ofTurn turnID: String) async throws -> StoredEvent? {
    try await database.wholeRead { database in
      let row = try Row.fetchOne(
        database, sql: "SELECT * FROM events WHERE turn_id = ? ORDER BY id DESC LIMIT 1", arguments: [turnID])
      var spoken: SpokenText?
      return try row.map { try EventRow.event($0, &spoken, database) }
    }
  }

  package func prune(before time: WallTime, keepingTurns turns: Set<String>) async throws -> Int {
    try await database.wholeWrite { database in
      // Whole turns only: a delta's text is the sum of its turn's deltas. A turn's last event decides its age.
      let old = """
        turn_id IN (SELECT turn_id FROM events GROUP BY turn_id HAVING max(at) < ?)
        AND turn_id NOT IN (SELECT value FROM json_each(?))
        """
      let kept = JSONValue.array(turns.map { .string($0) }).jsonText
      try database.execute(
        sql: """
          INSERT INTO event_floors (session_id, floor)
          SELECT session_id, max(id) FROM events WHERE \(old) GROUP BY session_id
          ON CONFLICT (session_id) DO UPDATE SET floor = max(floor, excluded.floor)
          """, arguments: [time.microseconds, kept])
      try database.execute(sql: "DELETE FROM events WHERE \(old)", arguments: [time.microseconds, kept])
      return database.changesCount
    }
  }
}
