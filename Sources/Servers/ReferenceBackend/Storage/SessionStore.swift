package import EventLedger
import Foundation
import GRDB
import ResolveKitCore

/// Sessions and their messages.
package struct SessionStore: Sendable {
  let database: any DatabaseWriter

  package init(_ database: BackendDatabase) {
    self.database = database.writer
  }

  /// Makes a session, or takes the device's newest active one and gives it the new context.
  ///
  /// A new session begins with a greeting in its locale as the assistant's first message.
  package func open(
    _ draft: SessionDraft, lifetime: Duration, now: WallTime
  ) async throws -> (session: SessionRecord, isReused: Bool) {
    try await database.wholeWrite { database in
      if draft.reusesActive, let device = draft.deviceID,
        var session = try Self.newest(ofDevice: device, since: now - lifetime, database)
      {
        session.client = draft.client
        session.llmContext = draft.llmContext ?? [:]
        session.functionNames = draft.functionNames
        session.locale = draft.locale ?? session.locale
        session.lastActivity = now
        try Self.update(session, database)
        return (session, true)
      }
      let session = SessionRecord(
        id: UUID().uuidString.lowercased(), deviceID: draft.deviceID, client: draft.client,
        llmContext: draft.llmContext ?? [:], functionNames: draft.functionNames, locale: draft.locale ?? "en",
        status: SessionRecord.active, lastActivity: now, created: now)
      try Self.insert(session, database)
      if let greeting = ChatWords.of(session.locale).initialMessage {
        try MessageRow.append(
          sessionID: session.id, role: MessageRecord.assistantRole, content: greeting, now: now, database)
      }
      return (session, false)
    }
  }

  package func session(_ id: String) async throws -> SessionRecord? {
    try await database.wholeRead { database in
      try Row.fetchOne(database, sql: "SELECT * FROM sessions WHERE id = ?", arguments: [id]).map(Self.record)
    }
  }

  /// Changes what the client may change; nil where there is no such session.
  package func changeContext(_ id: String, to draft: SessionDraft, now: WallTime) async throws -> SessionRecord? {
    try await database.wholeWrite { database in
      let row = try Row.fetchOne(database, sql: "SELECT * FROM sessions WHERE id = ?", arguments: [id])
      guard var session = try row.map(Self.record) else { return nil }
      session.client = draft.client ?? session.client
      session.llmContext = draft.llmContext ?? session.llmContext
      session.functionNames = draft.functionNames
      session.locale = draft.locale ?? session.locale
      session.lastActivity = now
      try Self.update(session, database)
      return session
    }
  }

  package func setLocale(_ locale: String, of id: String) async throws {
    try await database.wholeWrite { database in
      try database.execute(sql: "UPDATE sessions SET locale = ? WHERE id = ?", arguments: [locale, id])
    }
  }

  /// Keeps a person's message; returns its id.
  package func addHumanMessage(_ text: String, to id: String, now: WallTime) async throws -> String {
    try await database.wholeWrite { database in
      try database.execute(
        sql: "UPDATE sessions SET last_activity_at = ? WHERE id = ?", arguments: [now.microseconds, id])
      return try MessageRow.append(
        sessionID: id, role: MessageRecord.humanRole, content: text, now: now, database)
    }
  }

  /// A person takes over.
  package func escalate(_ id: String, now: WallTime) async throws {
    try await database.wholeWrite { database in
      try database.execute(
        sql: "UPDATE sessions SET status = ?, last_activity_at = ? WHERE id = ?",
        arguments: [SessionRecord.escalated, now.microseconds, id])
    }
  }

  /// At most `limit` messages behind a sequence number, oldest first.
  func messages(of id: String, after sequenceNumber: Int, limit: Int) async throws -> [MessageRecord] {
    try await database.wholeRead { try MessageRow.next(of: id, after: sequenceNumber, limit: limit, $0) }
  }

  /// The newest messages, oldest of them first.
  func messages(of id: String, newest count: Int) async throws -> [MessageRecord] {
    try await database.wholeRead { try MessageRow.newest(count, of: id, $0) }
  }

  /// Drops the sessions that were used last before `time` and run no turn, with all that belongs to them; returns how
  /// many.
  func prune(before time: WallTime) async throws -> Int {
    var count = 0
    while true {
      let some = try await pruneSome(before: time)
      count += some
      if some == 0 { return count }
    }
  }

  /// A few at a time, so that turns need not wait long for the database.
  private func pruneSome(before time: WallTime) async throws -> Int {
    try await database.wholeWrite { database in
      let old = try String.fetchAll(
        database,
        sql: """
          SELECT id FROM sessions WHERE last_activity_at < ?
          AND NOT EXISTS (SELECT 1 FROM turns WHERE session_id = sessions.id AND status = 'running') LIMIT 100
          """,
        arguments: [time.microseconds])
      for id in old {
        for table in ["calls", "rounds"] {
          try database.execute(
            sql: "DELETE FROM \(table) WHERE turn_id IN (SELECT id FROM turns WHERE session_id = ?)", arguments: [id])
        }
        for table in ["turns", "messages", "feedback", "events", "event_floors"] {
          try database.execute(sql: "DELETE FROM \(table) WHERE session_id = ?", arguments: [id])
        }
        try database.execute(sql: "DELETE FROM sessions WHERE id = ?", arguments: [id])
      }
      return old.count
    }
  }

  private static func newest(ofDevice device: String, since: WallTime, _ database: Database) throws -> SessionRecord? {
    try Row.fetchOne(
      database,
      sql: """
        SELECT * FROM sessions WHERE device_id = ? AND status = ? AND last_activity_at >= ?
        ORDER BY last_activity_at DESC, created_at DESC LIMIT 1
        """,
      arguments: [device, SessionRecord.active, since.microseconds]
    ).map(record)
  }

  private static func insert(_ session: SessionRecord, _ database: Database) throws {
    try database.execute(
      sql: "INSERT INTO sessions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
      arguments: [
        session.id, session.deviceID, session.client.map { JSONValue.object($0).jsonText },
        JSONValue.object(session.llmContext).jsonText, names(session), session.locale, session.status,
        session.lastActivity.microseconds, session.created.microseconds,
      ])
  }

  private static func update(_ session: SessionRecord, _ database: Database) throws {
    try database.execute(
      sql: """
        UPDATE sessions SET client = ?, llm_context = ?, function_names = ?, locale = ?, last_activity_at = ?
        WHERE id = ?
        """,
      arguments: [
        session.client.map { JSONValue.object($0).jsonText }, JSONValue.object(session.llmContext).jsonText,
        names(session), session.locale, session.lastActivity.microseconds, session.id,
      ])
  }

  private static func names(_ session: SessionRecord) -> String {
    JSONValue.array(session.functionNames.map { .string($0) }).jsonText
  }

  private static func record(_ row: Row) throws -> SessionRecord {
    let client: String? = row["client"]
    let names = try JSONValue(parsing: row["function_names"] as String).arrayValue ?? []
    return SessionRecord(
      id: row["id"], deviceID: row["device_id"], client: try client.flatMap { try JSONValue(parsing: $0).objectValue },
      llmContext: try JSONValue(parsing: row["llm_context"] as String).objectValue ?? [:],
      functionNames: names.compactMap(\.stringValue),
      locale: row["locale"], status: row["status"],
      lastActivity: WallTime(microseconds: row["last_activity_at"]),
      created: WallTime(microseconds: row["created_at"]))
  }
}
