import EventLedger

/// A step of a database's schema; steps go forwards only.
package struct PostgresMigration: Sendable {
  private let name: String
  private let sql: String

  /// The wait for a step: an index over many rows takes its time.
  private static let patience = Duration.seconds(3_600)

  package init(_ name: String, _ sql: String) {
    self.name = name
    self.sql = sql
  }

  /// Applies the steps that are missing, one process at a time. A database to which a later version of the program
  /// applied others stays as it is. Throws ``LedgerError``.
  ///
  /// - Parameter record: the table of the steps that were applied.
  static func apply(_ migrations: [PostgresMigration], record: String, _ connection: PostgresConnection) throws {
    // The number is the lock's name; it is let go with the transaction.
    try connection.execute(
      """
      BEGIN; SET LOCAL statement_timeout = 0; SELECT pg_advisory_xact_lock(7310592041);
      CREATE TABLE IF NOT EXISTS \(record) (name text PRIMARY KEY);
      """)
    do {
      let applied = try connection.run([PostgresStatement("SELECT name FROM \(record)")])
      let names = Set((applied.first ?? []).compactMap { $0.text(0) })
      let later = names.subtracting(migrations.map(\.name))
      guard later.isEmpty else {
        throw LedgerError(
          .database,
          "The ledger was written by a later version of this program (it has: "
            + "\(later.sorted().joined(separator: "; "))). Use that version, or another database.")
      }
      for migration in migrations where !names.contains(migration.name) {
        try connection.execute(migration.sql, patience: patience)
        _ = try connection.run([PostgresStatement("INSERT INTO \(record) VALUES ($1)", [.text(migration.name)])])
      }
      try connection.execute("COMMIT")
    } catch {
      if !connection.isBroken { try? connection.execute("ROLLBACK") }
      throw error
    }
  }
}
