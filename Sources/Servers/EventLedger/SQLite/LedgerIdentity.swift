import GRDB

/// The row that names a database's history.
enum LedgerIdentity {
  /// The name now.
  static func current(_ database: Database) throws -> String {
    guard let identity = try String.fetchOne(database, sql: "SELECT identity FROM ledger_identity") else {
      throw LedgerError(.database, "The ledger's table 'ledger_identity' is empty; restore the database from a backup.")
    }
    return identity
  }

  /// Marks a backup, so that it takes another name when it is opened, and its file as well, in which the mark is seen before.
  static func markCopied(_ database: Database) throws {
    try database.execute(
      sql: "UPDATE ledger_identity SET is_copy = 1; PRAGMA application_id = \(RestoredDatabase.mark)")
  }

  /// Gives a marked database a new name.
  static func renewWhereCopied(_ database: Database) throws {
    try database.execute(
      sql: "UPDATE ledger_identity SET identity = lower(hex(randomblob(16))), is_copy = 0 WHERE is_copy = 1")
    if database.changesCount > 0 { try database.execute(sql: "PRAGMA application_id = 0") }
  }
}
