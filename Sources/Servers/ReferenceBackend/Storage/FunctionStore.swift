package import EventLedger
import ResolveKitCore

/// The app's tools. Registering replaces the whole set: what is not named is no longer active, and kept, up to
/// ``keptInactive``, so that it comes back as what it was.
package struct FunctionStore: Sendable {
  /// Tools that are kept though they are not active, the newest ones.
  package static let keptInactive = 1_000

  private let rows: any RowDatabase

  private static let columns = """
    id, name, description, parameters_schema, is_active, timeout_seconds, availability, source, pack_name,
    requires_approval, created_at
    """

  package init(_ rows: any RowDatabase) { self.rows = rows }

  /// Registers `functions` and no others; returns them in this order, with the ids and dates of those known before.
  package func replaceAll(with functions: [FunctionRecord]) async throws -> [FunctionRecord] {
    try await rows.write { access in
      try access.run("UPDATE functions SET is_active = 0 WHERE is_active = 1", [])
      for (position, function) in functions.enumerated() { try Self.save(function, position: position, access) }
      try access.run(
        """
        DELETE FROM functions WHERE is_active = 0 AND name NOT IN (
          SELECT name FROM functions WHERE is_active = 0 ORDER BY created_at DESC, name LIMIT ?)
        """, [.integer(Int64(Self.keptInactive))])
      return try functions.compactMap { function in
        try access.run("SELECT \(Self.columns) FROM functions WHERE name = ?", [.text(function.name)]).first
          .map(Self.record)
      }
    }
  }

  package func active() async throws -> [FunctionRecord] {
    try await rows.read { access in
      try access.run("SELECT \(Self.columns) FROM functions WHERE is_active = 1 ORDER BY position, name", [])
        .map(Self.record)
    }
  }

  private static func save(_ function: FunctionRecord, position: Int, _ access: any RowAccess) throws {
    try access.run(
      """
      INSERT INTO functions (
        name, id, position, description, parameters_schema, is_active, timeout_seconds, availability, source, pack_name,
        requires_approval, created_at)
      VALUES (?, ?, ?, ?, ?, 1, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (name) DO UPDATE SET position = excluded.position, description = excluded.description,
        parameters_schema = excluded.parameters_schema, is_active = 1, timeout_seconds = excluded.timeout_seconds,
        availability = excluded.availability, source = excluded.source, pack_name = excluded.pack_name,
        requires_approval = excluded.requires_approval
      """,
      [
        .text(function.name), .text(function.id), .integer(Int64(position)), .text(function.description),
        .text(JSONValue.object(function.parametersSchema).jsonText), .integer(Int64(function.timeoutSeconds)),
        .text(JSONValue.object(function.availability).jsonText), .text(function.source), .text(function.packName),
        .flag(function.requiresApproval), .time(function.created),
      ])
  }

  private static func record(_ row: TableRow) throws -> FunctionRecord {
    FunctionRecord(
      id: row.text(0) ?? "", name: row.text(1) ?? "", description: row.text(2) ?? "",
      parametersSchema: try row.json(3).objectValue ?? [:], isActive: row.integer(4) == 1,
      timeoutSeconds: Int(clamping: row.integer(5) ?? 0), availability: try row.json(6).objectValue ?? [:],
      source: row.text(7) ?? "", packName: row.text(8), requiresApproval: row.integer(9) == 1,
      created: row.time(10))
  }
}
