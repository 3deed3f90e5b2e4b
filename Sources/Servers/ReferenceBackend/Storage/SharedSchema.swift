/// The tables of a database server, version by version: those that SQLite has, in PostgreSQL's words.
package enum SharedSchema {
  /// The steps in order, with their names.
  package static let steps = [
    (name: "sessions, turns and calls", sql: first), (name: "sessions by age", sql: ages),
  ]

  /// The sessions that are looked for when old ones are dropped. `condemned` is ``StoredSession/condemned``.
  private static let ages = """
    CREATE INDEX sessions_by_activity ON sessions (last_activity_at);
    CREATE INDEX sessions_by_creation ON sessions (created_at, id);
    CREATE INDEX sessions_condemned ON sessions (id) WHERE status = 'condemned';
    """

  /// Times are microseconds since 1970. A partial unique index is the turn lock: one running turn per session. `fence` is 0
  /// and `base` null while nobody has a claim on the turn.
  private static let first = """
    CREATE TABLE settings (name text PRIMARY KEY, value text NOT NULL);
    CREATE TABLE functions (
      name text PRIMARY KEY, id text NOT NULL, position bigint NOT NULL, description text NOT NULL,
      parameters_schema text NOT NULL, is_active bigint NOT NULL, timeout_seconds bigint NOT NULL,
      availability text NOT NULL, source text NOT NULL, pack_name text, requires_approval bigint NOT NULL,
      created_at bigint NOT NULL);
    CREATE TABLE sessions (
      id text PRIMARY KEY, device_id text, client text, llm_context text NOT NULL, function_names text NOT NULL,
      locale text NOT NULL, status text NOT NULL, last_activity_at bigint NOT NULL, created_at bigint NOT NULL,
      imported_floor bigint);
    CREATE INDEX sessions_by_device ON sessions (device_id, last_activity_at);
    CREATE TABLE messages (
      id text PRIMARY KEY, session_id text NOT NULL REFERENCES sessions (id), sequence_number bigint NOT NULL,
      role text NOT NULL, content text NOT NULL, created_at bigint NOT NULL,
      UNIQUE (session_id, sequence_number));
    CREATE TABLE turns (
      id text PRIMARY KEY, session_id text NOT NULL REFERENCES sessions (id), request_id text NOT NULL,
      status text NOT NULL, created_at bigint NOT NULL, fence bigint NOT NULL DEFAULT 0, base bigint,
      interruption text, ending text, UNIQUE (session_id, request_id));
    CREATE UNIQUE INDEX one_running_turn ON turns (session_id) WHERE status = 'running';
    CREATE TABLE rounds (
      turn_id text NOT NULL REFERENCES turns (id), number bigint NOT NULL, text text NOT NULL, prompt_tokens bigint,
      completion_tokens bigint, PRIMARY KEY (turn_id, number));
    CREATE TABLE calls (
      turn_id text NOT NULL REFERENCES turns (id), call_id text NOT NULL, round bigint NOT NULL,
      position bigint NOT NULL, name text NOT NULL, arguments text NOT NULL, timeout_seconds bigint, due_at bigint,
      outcome text, idempotency_key text, PRIMARY KEY (turn_id, call_id));
    CREATE TABLE feedback (
      session_id text PRIMARY KEY REFERENCES sessions (id), id text NOT NULL, rating bigint NOT NULL, comment text,
      created_at bigint NOT NULL);
    """
}
