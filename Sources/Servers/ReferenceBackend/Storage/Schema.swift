import EventLedger
import GRDB

/// The database's tables, version by version.
enum Schema {
  /// Brings the tables up to this version's. Throws ``BackendError`` for a database of a later version.
  static func migrate(_ database: any DatabaseWriter) throws {
    try migrator.migrateForwards(database) { later in
      BackendError(
        .database,
        "The database was written by a later version of this program (it has: \(later)). "
          + "Use that version, or give another --database.")
    }
  }

  /// Throws ``BackendError`` for a database of another version: it may be a running backend's.
  static func check(_ database: any DatabaseReader) throws {
    let (isComplete, later) = try database.read { database in
      (try migrator.hasCompletedMigrations(database), try migrator.hasBeenSuperseded(database))
    }
    guard isComplete, !later else {
      throw BackendError(
        .database,
        "The database was written by another version of this program; use that, or serve it with this one first.")
    }
  }

  private static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("sessions, turns and events") { database in
      try database.execute(sql: first)
    }
    migrator.registerMigration("feedback") { database in
      try database.execute(sql: feedback)
    }
    migrator.registerMigration("calls that outlive the process") { database in
      try database.execute(sql: calls)
    }
    LedgerSchema.register(in: &migrator)
    migrator.registerMigration("events in the ledger") { database in
      try database.execute(sql: claims)
      try EventImport.run(database)
    }
    migrator.registerMigration("sessions by age") { database in
      try database.execute(sql: ages)
    }
    return migrator
  }

  /// The knowledge that processes on one database share of each other's turns. `base` is null and `fence` 0 while nobody
  /// has a claim on the turn.
  private static let claims = """
    ALTER TABLE turns ADD COLUMN fence INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE turns ADD COLUMN base INTEGER;
    ALTER TABLE turns ADD COLUMN interruption TEXT;
    ALTER TABLE turns ADD COLUMN ending TEXT;
    ALTER TABLE sessions ADD COLUMN imported_floor INTEGER;
    """

  /// The sessions that are looked for when old ones are dropped. `condemned` is ``StoredSession/condemned``.
  private static let ages = """
    CREATE INDEX sessions_by_activity ON sessions (last_activity_at);
    CREATE INDEX sessions_by_creation ON sessions (created_at, id);
    CREATE INDEX sessions_condemned ON sessions (id) WHERE status = 'condemned';
    """

  /// One rating a session.
  private static let feedback = """
    CREATE TABLE feedback (
      session_id TEXT PRIMARY KEY REFERENCES sessions (id), id TEXT NOT NULL, rating INTEGER NOT NULL, comment TEXT,
      created_at INTEGER NOT NULL);
    """

  /// The model's words, names and outcomes are JSON text: SQLite's strings end at a NUL. `timeout_seconds` is null for a
  /// call of no function that there is, `due_at` until its time begins, `outcome` while it is open.
  private static let calls = """
    CREATE TABLE rounds (
      turn_id TEXT NOT NULL REFERENCES turns (id), number INTEGER NOT NULL, text TEXT NOT NULL, prompt_tokens INTEGER,
      completion_tokens INTEGER, PRIMARY KEY (turn_id, number)) WITHOUT ROWID;
    CREATE TABLE calls (
      turn_id TEXT NOT NULL REFERENCES turns (id), call_id TEXT NOT NULL, round INTEGER NOT NULL,
      position INTEGER NOT NULL, name TEXT NOT NULL, arguments TEXT NOT NULL, timeout_seconds INTEGER, due_at INTEGER,
      outcome TEXT, idempotency_key TEXT, PRIMARY KEY (turn_id, call_id)) WITHOUT ROWID;
    DROP TABLE tool_results;
    """

  /// Times are microseconds since 1970. A partial unique index is the turn lock: one running turn per session.
  private static let first = """
    CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL);
    CREATE TABLE functions (
      name TEXT PRIMARY KEY, id TEXT NOT NULL, position INTEGER NOT NULL, description TEXT NOT NULL,
      parameters_schema TEXT NOT NULL, is_active INTEGER NOT NULL, timeout_seconds INTEGER NOT NULL,
      availability TEXT NOT NULL, source TEXT NOT NULL, pack_name TEXT, requires_approval INTEGER NOT NULL,
      created_at INTEGER NOT NULL);
    CREATE TABLE sessions (
      id TEXT PRIMARY KEY, device_id TEXT, client TEXT, llm_context TEXT NOT NULL, function_names TEXT NOT NULL,
      locale TEXT NOT NULL, status TEXT NOT NULL, last_activity_at INTEGER NOT NULL, created_at INTEGER NOT NULL);
    CREATE INDEX sessions_by_device ON sessions (device_id, last_activity_at);
    CREATE TABLE messages (
      id TEXT PRIMARY KEY, session_id TEXT NOT NULL REFERENCES sessions (id), sequence_number INTEGER NOT NULL,
      role TEXT NOT NULL, content TEXT NOT NULL, created_at INTEGER NOT NULL,
      UNIQUE (session_id, sequence_number));
    CREATE TABLE turns (
      id TEXT PRIMARY KEY, session_id TEXT NOT NULL REFERENCES sessions (id), request_id TEXT NOT NULL,
      status TEXT NOT NULL, created_at INTEGER NOT NULL, UNIQUE (session_id, request_id));
    CREATE UNIQUE INDEX one_running_turn ON turns (session_id) WHERE status = 'running';
    CREATE TABLE tool_results (
      session_id TEXT NOT NULL, turn_id TEXT NOT NULL, call_id TEXT NOT NULL, idempotency_key TEXT NOT NULL,
      PRIMARY KEY (session_id, turn_id, call_id, idempotency_key)) WITHOUT ROWID;
    CREATE TABLE events (
      id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL, turn_id TEXT NOT NULL, request_id TEXT NOT NULL,
      at INTEGER NOT NULL, type TEXT NOT NULL, payload TEXT, delta TEXT);
    CREATE INDEX events_by_session ON events (session_id, id);
    CREATE INDEX events_by_turn ON events (turn_id, id);
    CREATE TABLE event_floors (session_id TEXT PRIMARY KEY, floor INTEGER NOT NULL);
    """
}
