package import EventLedger
import Foundation
import ResolveKitCore

/// Sessions and their messages.
package struct SessionStore: Sendable {
  private let rows: any RowDatabase

  private static let columns = """
    id, device_id, client, llm_context, function_names, locale, status, last_activity_at, created_at, imported_floor
    """

  package init(_ rows: any RowDatabase) { self.rows = rows }

  /// Makes a session, or takes the device's newest active one and gives it the new context.
  ///
  /// A new session begins with a greeting in its locale as the assistant's first message.
  package func open(
    _ draft: SessionDraft, lifetime: Duration, now: WallTime
  ) async throws -> (session: StoredSession, isReused: Bool) {
    try await rows.write { access in
      if draft.reusesActive, let device = draft.deviceID,
        var session = try Self.newest(ofDevice: device, since: now - lifetime, access)
      {
        session.client = draft.client
        session.llmContext = draft.llmContext ?? [:]
        session.functionNames = draft.functionNames
        session.locale = draft.locale ?? session.locale
        session.lastActivity = now
        try Self.update(session, access)
        return (session, true)
      }
      let session = StoredSession(
        id: UUID().uuidString.lowercased(), deviceID: draft.deviceID, client: draft.client,
        llmContext: draft.llmContext ?? [:], functionNames: draft.functionNames, locale: draft.locale ?? "en",
        status: StoredSession.active, lastActivity: now, created: now)
      try Self.insert(session, access)
      if let greeting = ChatWords.of(session.locale).initialMessage {
        try MessageRow.append(
          sessionID: session.id, role: MessageRecord.assistantRole, content: greeting, now: now, access)
      }
      return (session, false)
    }
  }

  package func session(_ id: String) async throws -> StoredSession? {
    try await rows.read { access in
      try Self.find(id, access)
    }
  }

  /// Changes what the client may change; nil where there is no such session.
  package func changeContext(_ id: String, to draft: SessionDraft, now: WallTime) async throws -> StoredSession? {
    try await rows.write { access in
      guard var session = try Self.find(id, access) else { return nil }
      session.client = draft.client ?? session.client
      session.llmContext = draft.llmContext ?? session.llmContext
      session.functionNames = draft.functionNames
      session.locale = draft.locale ?? session.locale
      session.lastActivity = now
      try Self.update(session, access)
      return session
    }
  }

  package func setLocale(_ locale: String, of id: String) async throws {
    try await rows.write { access in
      _ = try access.run("UPDATE sessions SET locale = ? WHERE id = ?", [.text(locale), .text(id)])
    }
  }

  /// Keeps a person's message; returns its id.
  package func addHumanMessage(_ text: String, to id: String, now: WallTime) async throws -> String {
    try await rows.write { access in
      try access.run("UPDATE sessions SET last_activity_at = ? WHERE id = ?", [.time(now), .text(id)])
      return try MessageRow.append(
        sessionID: id, role: MessageRecord.humanRole, content: text, now: now, access)
    }
  }

  /// A person takes over: no turn begins any more, and a running one is asked to end. Returns that turn, and whether it
  /// will report its end.
  @discardableResult
  package func escalate(
    _ id: String, reason: String, now: WallTime
  ) async throws -> (turnID: String, isTold: Bool)? {
    try await rows.write { access in
      try access.run(
        "UPDATE sessions SET status = ?, last_activity_at = ? WHERE id = ?",
        [.text(StoredSession.escalated), .time(now), .text(id)])
      return try TurnStore.interrupt(.escalation(reason: reason), runningIn: id, access)
    }
  }

  /// What is made of the messages behind a sequence number, oldest first: of few enough to be held for a client that takes them
  /// slowly.
  ///
  /// - Parameter make: called while the database is read, so that only as many are in memory at once as it reads at once.
  func page<Value: Sendable>(
    of id: String, after sequenceNumber: Int, _ make: @escaping @Sendable (MessagePage) -> Value
  ) async throws -> Value {
    try await rows.read { make(try MessageRow.page(of: id, after: sequenceNumber, $0)) }
  }

  /// The newest messages, oldest of them first.
  func messages(of id: String, newest count: Int) async throws -> [MessageRecord] {
    try await rows.read { try MessageRow.newest(count, of: id, $0) }
  }

  /// Marks at most 100 of the sessions that were used last before `time` and run no turn as gone; returns them, and those
  /// that were marked before and are still there. A few at a time, so that turns need not wait long for the database.
  func markExpired(before time: WallTime) async throws -> [String] {
    try await rows.write { access in
      let old = try access.run(
        """
        SELECT id FROM sessions WHERE (last_activity_at < ? OR status = '\(StoredSession.condemned)')
        AND NOT EXISTS (SELECT 1 FROM turns WHERE session_id = sessions.id AND status = 'running') LIMIT 100
        """, [.time(time)]
      ).compactMap { $0.text(0) }
      for id in old {
        try access.run("UPDATE sessions SET status = ? WHERE id = ?", [.text(StoredSession.condemned), .text(id)])
      }
      return old
    }
  }

  /// The sessions of a device, with those that are marked as gone.
  func sessions(ofDevice device: String) async throws -> [String] {
    try await rows.read { access in
      try access.run("SELECT id FROM sessions WHERE device_id = ? ORDER BY created_at, id", [.text(device)])
        .compactMap { $0.text(0) }
    }
  }

  /// Marks a session as gone; false where there is none.
  func condemn(_ id: String) async throws -> Bool {
    try await rows.write { access in
      let marked = try access.run(
        "UPDATE sessions SET status = ? WHERE id = ? RETURNING id", [.text(StoredSession.condemned), .text(id)])
      return !marked.isEmpty
    }
  }

  /// Drops sessions that were marked as gone, with all rows that belong to them. Their events go before: as long as there
  /// is a row, they are found.
  func remove(_ condemned: [String]) async throws {
    try await rows.write { access in
      for id in condemned {
        for table in ["calls", "rounds"] {
          try access.run(
            "DELETE FROM \(table) WHERE turn_id IN (SELECT id FROM turns WHERE session_id = ?)", [.text(id)])
        }
        for table in ["turns", "messages", "feedback"] {
          try access.run("DELETE FROM \(table) WHERE session_id = ?", [.text(id)])
        }
        try access.run("DELETE FROM sessions WHERE id = ?", [.text(id)])
      }
    }
  }

  /// A session's place among those that are older and newer.
  struct Age: Sendable {
    let id: String
    fileprivate let created: WallTime
  }

  /// At most `limit` sessions made before `time`, the oldest first, behind one of them.
  func sessions(madeBefore time: WallTime, after last: Age?, limit: Int) async throws -> [Age] {
    try await rows.read { access in
      try access.run(
        """
        SELECT id, created_at FROM sessions WHERE created_at < ? AND (created_at, id) > (?, ?)
        ORDER BY created_at, id LIMIT ?
        """,
        [
          .time(time), .integer(last?.created.microseconds ?? .min), .text(last?.id ?? ""), .integer(Int64(limit)),
        ]
      ).compactMap { row in row.text(0).map { Age(id: $0, created: row.time(1)) } }
    }
  }

  private static func find(_ id: String, _ access: any RowAccess) throws -> StoredSession? {
    try access.run(
      "SELECT \(columns) FROM sessions WHERE id = ? AND status <> ?", [.text(id), .text(StoredSession.condemned)]
    ).first.map(record)
  }

  private static func newest(
    ofDevice device: String, since: WallTime, _ access: any RowAccess
  ) throws
    -> StoredSession?
  {
    try access.run(
      """
      SELECT \(columns) FROM sessions WHERE device_id = ? AND status = ? AND last_activity_at >= ?
      ORDER BY last_activity_at DESC, created_at DESC LIMIT 1
      """,
      [.text(device), .text(StoredSession.active), .time(since)]
    ).first.map(record)
  }

  private static func insert(_ session: StoredSession, _ access: any RowAccess) throws {
    try access.run(
      "INSERT INTO sessions (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      [
        .text(session.id), .text(session.deviceID), .text(session.client.map { JSONValue.object($0).jsonText }),
        .text(JSONValue.object(session.llmContext).jsonText), names(session), .text(session.locale),
        .text(session.status), .time(session.lastActivity), .time(session.created), .integer(nil),
      ])
  }

  private static func update(_ session: StoredSession, _ access: any RowAccess) throws {
    try access.run(
      """
      UPDATE sessions SET client = ?, llm_context = ?, function_names = ?, locale = ?, last_activity_at = ?
      WHERE id = ?
      """,
      [
        .text(session.client.map { JSONValue.object($0).jsonText }),
        .text(JSONValue.object(session.llmContext).jsonText), names(session), .text(session.locale),
        .time(session.lastActivity), .text(session.id),
      ])
  }

  private static func names(_ session: StoredSession) -> RowValue {
    .text(JSONValue.array(session.functionNames.map { .string($0) }).jsonText)
  }

  private static func record(_ row: TableRow) throws -> StoredSession {
    StoredSession(
      id: row.text(0) ?? "", deviceID: row.text(1),
      client: try row.text(2).flatMap { try JSONValue(parsing: $0).objectValue },
      llmContext: try row.json(3).objectValue ?? [:],
      functionNames: (try row.json(4).arrayValue ?? []).compactMap(\.stringValue), locale: row.text(5) ?? "en",
      status: row.text(6) ?? "", lastActivity: row.time(7), created: row.time(8),
      importedFloor: row.integer(9).map { EventID($0) })
  }
}
