import EventLedger
import Foundation
import GRDB

/// A database as the version before the ledger left it, by `kill -9` while a turn waited for its tool.
enum EarlierDatabase {
  /// Two sessions that spoke in turns, so that neither's events have numbers in a row: one whose turn waits for a tool, one
  /// whose first events are gone.
  static let waiting = "11111111-1111-4111-8111-111111111111"
  static let pruned = "22222222-2222-4222-8222-222222222222"
  static let turn = "33333333-3333-4333-8333-333333333333"

  static func write(_ path: String, at now: WallTime) throws {
    let database = try DatabaseQueue(path: path)
    try database.write { database in
      try database.execute(sql: tables)
      for id in [waiting, pruned] {
        try database.execute(
          sql: "INSERT INTO sessions VALUES (?, NULL, NULL, '{}', '[\"tool\"]', 'en', 'active', ?, ?)",
          arguments: [id, now.microseconds, now.microseconds])
      }
      for (id, session, status) in [(turn, waiting, "running"), ("old", pruned, "complete")] {
        try database.execute(
          sql: "INSERT INTO turns VALUES (?, ?, 'r', ?, ?)", arguments: [id, session, status, now.microseconds])
      }
      try database.execute(sql: rows)
      let events: [(session: String, turn: String, type: String, payload: String?, delta: String?)] = [
        (waiting, turn, "assistant_text_delta", nil, "Let me "),
        (pruned, "old", "assistant_text_delta", nil, "Old."),
        (waiting, turn, "assistant_text_delta", nil, "see."),
        (pruned, "old", "turn_complete", #"{"full_text":"Old.","usage":null}"#, nil),
        (waiting, turn, "tool_call_request", #"{"arguments":{},"call_id":"a"}"#, nil),
      ]
      for (place, event) in events.enumerated() {
        try database.execute(
          sql: "INSERT INTO events VALUES (?, ?, ?, 'r', ?, ?, ?, ?)",
          arguments: [
            place + 11, event.session, event.turn, now.microseconds, event.type, event.payload, event.delta,
          ])
      }
    }
    try database.close()
  }

  private static let rows = """
    INSERT INTO settings VALUES ('app_id', 'app');
    INSERT INTO settings VALUES ('signing_key', 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=');
    INSERT INTO functions VALUES ('tool', 'f', 0, 'x', '{}', 1, 30, '{}', 'app_inline', NULL, 0, 0);
    INSERT INTO messages VALUES ('m', '\(waiting)', 1, 'user', 'x', 0);
    INSERT INTO rounds VALUES ('\(turn)', 0, '"Let me see."', NULL, NULL);
    INSERT INTO calls VALUES ('\(turn)', 'a', 0, 0, '"tool"', '{}', 30, NULL, NULL, NULL);
    INSERT INTO event_floors VALUES ('\(pruned)', 10);
    """

  private static let tables = """
    CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
    INSERT INTO grdb_migrations VALUES ('sessions, turns and events'), ('feedback'), ('calls that outlive the process');
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
    CREATE TABLE feedback (
      session_id TEXT PRIMARY KEY REFERENCES sessions (id), id TEXT NOT NULL, rating INTEGER NOT NULL, comment TEXT,
      created_at INTEGER NOT NULL);
    CREATE TABLE rounds (
      turn_id TEXT NOT NULL REFERENCES turns (id), number INTEGER NOT NULL, text TEXT NOT NULL, prompt_tokens INTEGER,
      completion_tokens INTEGER, PRIMARY KEY (turn_id, number)) WITHOUT ROWID;
    CREATE TABLE calls (
      turn_id TEXT NOT NULL REFERENCES turns (id), call_id TEXT NOT NULL, round INTEGER NOT NULL,
      position INTEGER NOT NULL, name TEXT NOT NULL, arguments TEXT NOT NULL, timeout_seconds INTEGER, due_at INTEGER,
      outcome TEXT, idempotency_key TEXT, PRIMARY KEY (turn_id, call_id)) WITHOUT ROWID;
    DROP TABLE tool_results;
    """
}
