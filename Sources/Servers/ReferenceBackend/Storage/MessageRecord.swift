package import EventLedger
import Foundation

/// One message of a session's history.
package struct MessageRecord: Equatable, Sendable {
  package var id: String
  package var sessionID: String
  package var sequenceNumber: Int
  package var role: String
  package var content: String
  package var created: WallTime

  package init(
    id: String, sessionID: String, sequenceNumber: Int, role: String, content: String, created: WallTime
  ) {
    self.id = id
    self.sessionID = sessionID
    self.sequenceNumber = sequenceNumber
    self.role = role
    self.content = content
    self.created = created
  }

  package static let userRole = "user"
  package static let assistantRole = "assistant"
  package static let humanRole = "human_agent"
}

/// Some messages of a session's history.
struct MessagePage: Sendable {
  var messages: [MessageRecord]
  /// Whether no others follow.
  var isLast: Bool

  /// Characters in one page, unless its only message has more.
  static let length = 64 << 10
  /// Messages in one page.
  static let mostMessages = 64
}

/// Messages as rows.
enum MessageRow {
  private static let columns = "id, session_id, sequence_number, role, content, created_at"

  /// Returns the message's id.
  @discardableResult
  static func append(
    sessionID: String, role: String, content: String, now: WallTime, _ access: any RowAccess
  ) throws -> String {
    let id = UUID().uuidString.lowercased()
    let last = try access.run(
      "SELECT max(sequence_number) FROM messages WHERE session_id = ?", [.text(sessionID)]
    ).first?.integer(0)
    try access.run(
      "INSERT INTO messages (\(columns)) VALUES (?, ?, ?, ?, ?, ?)",
      [
        .text(id), .text(sessionID), .integer((last ?? 0) + 1), .text(role), .text(content), .time(now),
      ])
    return id
  }

  static func page(
    of sessionID: String, after sequenceNumber: Int, _ access: any RowAccess
  ) throws -> MessagePage {
    // Lengths first: one message may be as long as hundreds of others. None is ever taken out of between two others.
    let lengths = try access.run(
      """
      SELECT length(content) FROM messages WHERE session_id = ? AND sequence_number > ? ORDER BY sequence_number LIMIT ?
      """,
      [.text(sessionID), .integer(Int64(sequenceNumber)), .integer(Int64(MessagePage.mostMessages))]
    ).map { Int(clamping: $0.integer(0) ?? 0) }
    var (count, length) = (0, 0)
    while count < lengths.count, count == 0 || length + lengths[count] <= MessagePage.length {
      length += lengths[count]
      count += 1
    }
    let messages = try access.run(
      """
      SELECT \(columns) FROM messages WHERE session_id = ? AND sequence_number > ? ORDER BY sequence_number LIMIT ?
      """,
      [.text(sessionID), .integer(Int64(sequenceNumber)), .integer(Int64(count))]
    ).map(record)
    // Meanwhile they may be deleted with their session.
    let isLast = messages.isEmpty || messages.count == lengths.count && lengths.count < MessagePage.mostMessages
    return MessagePage(messages: messages, isLast: isLast)
  }

  static func newest(_ count: Int, of sessionID: String, _ access: any RowAccess) throws -> [MessageRecord] {
    try access.run(
      "SELECT \(columns) FROM messages WHERE session_id = ? ORDER BY sequence_number DESC LIMIT ?",
      [.text(sessionID), .integer(Int64(count))]
    ).map(record).reversed()
  }

  private static func record(_ row: TableRow) -> MessageRecord {
    MessageRecord(
      id: row.text(0) ?? "", sessionID: row.text(1) ?? "", sequenceNumber: Int(clamping: row.integer(2) ?? 0),
      role: row.text(3) ?? "", content: row.text(4) ?? "", created: row.time(5))
  }
}
