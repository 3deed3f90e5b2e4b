package import EventLedger
import Foundation
import GRDB

/// One message of a session's history.
package struct MessageRecord: Equatable, Sendable {
  package var id: String
  package var sessionID: String
  package var sequenceNumber: Int
  package var role: String
  package var content: String
  package var created: WallTime

  package static let userRole = "user"
  package static let assistantRole = "assistant"
  package static let humanRole = "human_agent"
}

/// Messages as rows.
enum MessageRow {
  /// Returns the message's id.
  @discardableResult
  static func append(
    sessionID: String, role: String, content: String, now: WallTime, _ database: Database
  ) throws -> String {
    let id = UUID().uuidString.lowercased()
    try database.execute(
      sql: """
        INSERT INTO messages (id, session_id, sequence_number, role, content, created_at)
        SELECT ?, ?, coalesce(max(sequence_number), 0) + 1, ?, ?, ? FROM messages WHERE session_id = ?
        """,
      arguments: [id, sessionID, role, content, now.microseconds, sessionID])
    return id
  }

  static func next(
    of sessionID: String, after sequenceNumber: Int, limit: Int, _ database: Database
  ) throws -> [MessageRecord] {
    try Row.fetchAll(
      database,
      sql: "SELECT * FROM messages WHERE session_id = ? AND sequence_number > ? ORDER BY sequence_number LIMIT ?",
      arguments: [sessionID, sequenceNumber, limit]
    ).map(record)
  }

  static func newest(_ count: Int, of sessionID: String, _ database: Database) throws -> [MessageRecord] {
    try Row.fetchAll(
      database, sql: "SELECT * FROM messages WHERE session_id = ? ORDER BY sequence_number DESC LIMIT ?",
      arguments: [sessionID, count]
    ).map(record).reversed()
  }

  private static func record(_ row: Row) -> MessageRecord {
    MessageRecord(
      id: row["id"], sessionID: row["session_id"], sequenceNumber: row["sequence_number"], role: row["role"],
      content: row["content"], created: WallTime(microseconds: row["created_at"]))
  }
}
