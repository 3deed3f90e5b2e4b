import EventLedger
import GRDB
import ResolveKitCore

/// The app's tools. Registering replaces the whole set: what is not named is no longer active, and kept, up to
/// ``keptInactive``, so that it comes back as what it was.
package struct FunctionStore: Sendable {
  /// Tools that are kept though they are not active, the newest ones.
  package static let keptInactive = 1_000

  let database: any DatabaseWriter

  package init(_ database: BackendDatabase) {
    self.database = database.writer
  }

  /// Registers `functions` and no others; returns them in this order, with the ids and dates of those known before.
  package func replaceAll(with functions: [FunctionRecord]) async throws -> [FunctionRecord] {
    try await database.wholeWrite { database in
      try database.execute(sql: "UPDATE functions SET is_active = 0")
      for (position, function) in functions.enumerated() {
        try Self.save(function, position: position, database)
      }
      try database.execute(
        sql: """
          DELETE FROM functions WHERE name IN (
            SELECT name FROM functions WHERE NOT is_active ORDER BY created_at DESC, name LIMIT -1 OFFSET ?)
          """, arguments: [Self.keptInactive])
      return try functions.compactMap { function in
        try Row.fetchOne(database, sql: "SELECT * FROM functions WHERE name = ?", arguments: [function.name])
          .map(Self.record)
      }
    }
  }

  package func active() async throws -> [FunctionRecord] {
    try await database.wholeRead { database in
      try Row.fetchAll(database, sql: "SELECT * FROM functions WHERE is_active ORDER BY position, name")
        .map(Self.record)
    }
  }

  private static func save(_ function: FunctionRecord, position: Int, _ database: Database) throws {
    try database.execute(
      sql: """
        INSERT INTO functions VALUES (?, ?, ?, ?, ?, 1, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (name) DO UPDATE SET position = excluded.position, description = excluded.description,
          parameters_schema = excluded.parameters_schema, is_active = 1, timeout_seconds = excluded.timeout_seconds,
          availability = excluded.availability, source = excluded.source, pack_name = excluded.pack_name,
          requires_approval = excluded.requires_approval
        """,
      arguments: [
        function.name, function.id, position, function.description,
        JSONValue.object(function.parametersSchema).jsonText, function.timeoutSeconds,
        JSONValue.object(function.availability).jsonText, function.source, function.packName,
        function.requiresApproval, function.created.microseconds,
      ])
  }

  private static func record(_ row: Row) throws -> FunctionRecord {
    FunctionRecord(
      id: row["id"], name: row["name"], description: row["description"],
      parametersSchema: try JSONValue(parsing: row["parameters_schema"] as String).objectValue ?? [:],
      isActive: row["is_active"], timeoutSeconds: row["timeout_seconds"],
      availability: try JSONValue(parsing: row["availability"] as String).objectValue ?? [:],
      source: row["source"], packName: row["pack_name"], requiresApproval: row["requires_approval"],
      created: WallTime(microseconds: row["created_at"]))
  }
}
