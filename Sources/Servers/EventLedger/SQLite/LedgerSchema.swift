package import GRDB

/// The ledger's tables, version by version.
package enum LedgerSchema {
  /// Brings the tables up to this version's. Throws ``LedgerError`` for a database of a later version.
  package static func migrate(_ database: any DatabaseWriter) throws {
    var migrator = DatabaseMigrator()
    register(in: &migrator)
    try migrator.migrateForwards(database) { later in
      LedgerError(
        .database,
        "The ledger was written by a later version of this program (it has: \(later)). Use that version, or another file."
      )
    }
  }

  /// Adds the ledger's tables to those of a database that has others as well.
  package static func register(in migrator: inout DatabaseMigrator) {
    migrator.registerMigration("ledger streams, events and keys") { try $0.execute(sql: first) }
    migrator.registerMigration("ledger identity") { try $0.execute(sql: identity) }
  }

  /// Times are microseconds since 1970; `expires_at` is null where nobody holds the lease.
  private static let first = """
    CREATE TABLE ledger_streams (
      id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, last INTEGER NOT NULL DEFAULT 0,
      floor INTEGER NOT NULL DEFAULT 0, swept INTEGER NOT NULL DEFAULT 0, is_deleted INTEGER NOT NULL DEFAULT 0,
      fence INTEGER NOT NULL DEFAULT 0, holder TEXT NOT NULL DEFAULT '', expires_at INTEGER);
    CREATE INDEX ledger_streams_by_expiry ON ledger_streams (expires_at) WHERE expires_at IS NOT NULL;
    CREATE INDEX ledger_streams_to_sweep ON ledger_streams (id) WHERE swept < floor;
    CREATE TABLE ledger_events (
      stream_id INTEGER NOT NULL REFERENCES ledger_streams (id), sequence INTEGER NOT NULL, fence INTEGER NOT NULL,
      at INTEGER NOT NULL, type TEXT NOT NULL, payload BLOB NOT NULL, UNIQUE (stream_id, sequence));
    CREATE TABLE ledger_keys (
      stream_id INTEGER NOT NULL REFERENCES ledger_streams (id), key TEXT NOT NULL, digest BLOB NOT NULL,
      first INTEGER NOT NULL, last INTEGER NOT NULL, PRIMARY KEY (stream_id, key)) WITHOUT ROWID;
    CREATE INDEX ledger_keys_by_last ON ledger_keys (stream_id, last);
    """

  /// One row; `is_copy` is 1 in a backup that nobody has opened.
  private static let identity = """
    CREATE TABLE ledger_identity (
      id INTEGER PRIMARY KEY CHECK (id = 1), identity TEXT NOT NULL, is_copy INTEGER NOT NULL DEFAULT 0);
    INSERT INTO ledger_identity (id, identity) VALUES (1, lower(hex(randomblob(16))));
    """
}
