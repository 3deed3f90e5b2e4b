import EventLedger
import Foundation
import GRDB

/// Takes the events of earlier versions, which had one numbering for all sessions, over into the ledger, which numbers
/// each session's.
///
/// A session's last event keeps its number, and those before it have the numbers just below. So a client that has read
/// all continues where it was, and one that has not gets some events twice, but none never.
enum EventImport {
  private struct Session {
    let id: String
    let last: Int64
    let count: Int64
    /// The events that were dropped.
    let floor: Int64
  }

  static func run(_ database: Database) throws {
    let sessions = try Row.fetchAll(
      database,
      sql: """
        SELECT sessions.id, coalesce(max(events.id), 0) AS last, count(events.id) AS count, coalesce(floor, 0) AS floor
        FROM sessions LEFT JOIN events ON events.session_id = sessions.id
        LEFT JOIN event_floors ON event_floors.session_id = sessions.id GROUP BY sessions.id
        """
    ).map { Session(id: $0["id"], last: $0["last"], count: $0["count"], floor: $0["floor"]) }
    for session in sessions where session.last + session.floor > 0 { try take(session, database) }
    try database.execute(sql: "DROP TABLE events; DROP TABLE event_floors")
  }

  private static func take(_ session: Session, _ database: Database) throws {
    let last = max(session.last, session.floor)
    let floor = last - session.count
    try database.execute(
      sql: "INSERT INTO ledger_streams (name, last, floor, swept) VALUES (?, ?, ?, ?)",
      arguments: [SessionLog.stream(of: session.id), last, floor, floor])
    let stream = database.lastInsertedRowID
    if session.floor == 0 {
      try database.execute(sql: "UPDATE sessions SET imported_floor = ? WHERE id = ?", arguments: [floor, session.id])
    }
    var bases: [String: Int64] = [:]
    var sequence = floor
    let rows = try Row.fetchCursor(
      database, sql: "SELECT * FROM events WHERE session_id = ? ORDER BY id", arguments: [session.id])
    while let row = try rows.next() {
      let turn: String = row["turn_id"]
      let base = bases[turn, default: sequence]
      bases[turn] = base
      sequence += 1
      let record = LedgerRecord(
        turnID: turn, requestID: row["request_id"], base: EventID(base),
        body: row["delta"] as String? ?? row["payload"] ?? "null")
      try database.execute(
        sql: "INSERT INTO ledger_events VALUES (?, ?, 0, ?, ?, ?)",
        arguments: [stream, sequence, row["at"] as Int64, row["type"] as String, Data(record.bytes)])
    }
    for (turn, base) in bases {
      try database.execute(
        sql: "UPDATE turns SET base = ? WHERE id = ? AND status = 'running'", arguments: [base, turn])
    }
  }
}
