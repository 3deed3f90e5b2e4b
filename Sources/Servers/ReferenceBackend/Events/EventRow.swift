import EventLedger
import GRDB

/// Events as rows. A text delta keeps its delta alone: `accumulated` is the sum of its turn's deltas and would make the
/// table grow with the square of the answer.
enum EventRow {
  static func insert(_ draft: EventDraft, into database: Database) throws -> StoredEvent {
    var payload: String?
    var delta: String?
    switch draft.payload {
    case .assistantTextDelta(let text, _): delta = text
    case .toolCallRequest, .turnComplete, .error, .humanMessage, .feedbackRequested, .sessionEscalated:
      payload = draft.payload.jsonText
    }
    try database.execute(
      sql: """
        INSERT INTO events (session_id, turn_id, request_id, at, type, payload, delta) VALUES (?, ?, ?, ?, ?, ?, ?)
        """,
      arguments: [
        draft.sessionID, draft.turnID, draft.requestID, draft.time.microseconds, draft.payload.type, payload, delta,
      ])
    return StoredEvent(id: EventID(database.lastInsertedRowID), draft: draft)
  }

  /// - Parameter spoken: the text so far of the turn that was met last, kept from row to row.
  static func event(_ row: Row, _ spoken: inout SpokenText?, _ database: Database) throws -> StoredEvent {
    let id: Int64 = row["id"]
    let turnID: String = row["turn_id"]
    var payload: String = row["payload"] ?? "null"
    if let delta: String = row["delta"] {
      var text = try spoken?.turnID == turnID ? spoken?.text ?? "" : text(of: turnID, before: id, database)
      text += delta
      spoken = SpokenText(turnID: turnID, text: text)
      payload = EventPayload.assistantTextDelta(delta: delta, accumulated: text).jsonText
    }
    return StoredEvent(
      id: EventID(id), sessionID: row["session_id"], turnID: turnID, requestID: row["request_id"],
      time: WallTime(microseconds: row["at"]), type: row["type"], payloadText: payload)
  }

  private static func text(of turnID: String, before id: Int64, _ database: Database) throws -> String {
    let deltas = try String.fetchAll(
      database,
      sql: "SELECT delta FROM events WHERE turn_id = ? AND id < ? AND delta IS NOT NULL ORDER BY id",
      arguments: [turnID, id])
    return deltas.joined()
  }
}
