package import EventLedger
import Foundation
import GRDB

/// Turns: which request began which, and which is running.
package struct TurnStore: Sendable {
  /// A turn as the database keeps it.
  package struct Record: Equatable, Sendable {
    package var id: String
    package var sessionID: String
    package var requestID: String
    package var status: Status
  }

  package enum Status: String, Sendable {
    case running
    case complete
    case failed
    case cancelled
    case interrupted
  }

  /// The outcome of a request for a turn.
  package enum Beginning: Equatable, Sendable {
    case began(turnID: String)
    /// The same request id was accepted before.
    case repeated(turnID: String)
    /// Another turn of the session is running.
    case busy
    /// No more turns may run.
    case full
    /// A person has taken the session over, or it is gone.
    case inactive
  }

  let database: any DatabaseWriter

  package init(_ database: BackendDatabase) {
    self.database = database.writer
  }

  /// Begins a turn and keeps its message: one transaction decides between first time, repetition and conflict.
  package func begin(
    _ turnID: String, sessionID: String, requestID: String, text: String, now: WallTime, limit: Int
  ) async throws -> Beginning {
    try await database.wholeWrite { database in
      let known = try String.fetchOne(
        database, sql: "SELECT id FROM turns WHERE session_id = ? AND request_id = ?",
        arguments: [sessionID, requestID])
      if let known { return .repeated(turnID: known) }
      let status = try String.fetchOne(
        database, sql: "SELECT status FROM sessions WHERE id = ?", arguments: [sessionID])
      guard status == SessionRecord.active else { return .inactive }
      let isBusy = try Bool.fetchOne(
        database, sql: "SELECT EXISTS (SELECT 1 FROM turns WHERE session_id = ? AND status = 'running')",
        arguments: [sessionID])
      if isBusy == true { return .busy }
      let running = try Int.fetchOne(database, sql: "SELECT count(*) FROM turns WHERE status = 'running'") ?? 0
      if running >= limit { return .full }
      try database.execute(
        sql: "INSERT INTO turns (id, session_id, request_id, status, created_at) VALUES (?, ?, ?, 'running', ?)",
        arguments: [turnID, sessionID, requestID, now.microseconds])
      try MessageRow.append(
        sessionID: sessionID, role: MessageRecord.userRole, content: text, now: now, database)
      try database.execute(
        sql: "UPDATE sessions SET last_activity_at = ? WHERE id = ?", arguments: [now.microseconds, sessionID])
      return .began(turnID: turnID)
    }
  }

  package func turn(_ id: String) async throws -> Record? {
    try await database.wholeRead { database in
      try Row.fetchOne(database, sql: "SELECT * FROM turns WHERE id = ?", arguments: [id]).map(Self.record)
    }
  }

  package func running() async throws -> [Record] {
    try await database.wholeRead { database in
      try Row.fetchAll(database, sql: "SELECT * FROM turns WHERE status = 'running' ORDER BY created_at, id")
        .map(Self.record)
    }
  }

  /// Gives up the turn lock. Of its calls the keys stay, by which a result that comes again is known.
  package func end(_ id: String, as status: Status) async throws {
    try await database.wholeWrite { database in
      try database.execute(sql: "UPDATE turns SET status = ? WHERE id = ?", arguments: [status.rawValue, id])
      try database.execute(sql: "UPDATE calls SET arguments = '{}', outcome = '{}' WHERE turn_id = ?", arguments: [id])
      try database.execute(sql: "DELETE FROM rounds WHERE turn_id = ?", arguments: [id])
    }
  }

  /// Keeps what the assistant said in a turn, for the history and for later turns.
  package func keepAnswer(_ text: String, sessionID: String, now: WallTime) async throws {
    try await database.wholeWrite { database in
      _ = try MessageRow.append(
        sessionID: sessionID, role: MessageRecord.assistantRole, content: text, now: now, database)
    }
  }

  private static func record(_ row: Row) -> Record {
    Record(
      id: row["id"], sessionID: row["session_id"], requestID: row["request_id"],
      status: Status(rawValue: row["status"]) ?? .interrupted)
  }
}
