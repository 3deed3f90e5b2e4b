import EventLedger
import EventLedgerPostgres
import ReferenceBackend
import TestSupport
import Testing

/// Databases that other versions of the program made.
@Suite(.timeLimit(.minutes(10)), .enabled(if: SharedHouse.isPossible, "PostgreSQL is not installed"))
struct SharedSchemaTests {
  @Test func aDatabaseOfTheFirstVersionIsBroughtUpToDate() async throws {
    let house = try SharedHouse()
    let first = try await PostgresEventLedger.open(house.url)
    let step = SharedSchema.steps[0]
    try await first.rows.migrate([PostgresMigration(step.name, step.sql)], record: "backend_migrations")
    first.close()
    let now = SetTime().now.microseconds
    let kept = "11111111-1111-4111-8111-111111111111"
    for (id, status, time) in [(kept, "active", now), ("old", "active", 0), ("gone", "condemned", now)] {
      try house.run(
        """
        INSERT INTO sessions (id, llm_context, function_names, locale, status, last_activity_at, created_at)
        VALUES ('\(id)', '{}', '[]', 'en', '\(status)', \(time), \(time));
        INSERT INTO messages VALUES ('m-\(id)', '\(id)', 1, 'user', 'Hello', \(time));
        """)
    }
    let one = try await house.member(ScriptedModel(words: ["here"]))
    let indexes = "SELECT string_agg(indexname, ' ' ORDER BY indexname) FROM pg_indexes WHERE tablename = 'sessions'"
    #expect(
      try house.run(indexes)
        == "sessions_by_activity sessions_by_creation sessions_by_device sessions_condemned sessions_pkey")
    try await one.harness.core.prune()
    #expect(try house.run("SELECT string_agg(id, ' ') FROM sessions") == kept)
    let session = TestSession(
      harness: one.harness, id: kept, token: one.harness.core.token(for: kept), isReused: true)
    #expect(try await session.history().map(\.content) == ["Hello"])
    try await session.say("x", requestID: "r")
    #expect(try await session.eventsOfTurn().text == "here")
    await one.harness.core.close()
  }

  @Test func aDatabaseOfALaterVersionIsRefusedWithASentence() async throws {
    let house = try SharedHouse()
    let one = try await house.member(ScriptedModel([]))
    await one.harness.core.close()
    try house.run("INSERT INTO backend_migrations VALUES ('rooms')")
    let error = await #expect(throws: LedgerError.self) { _ = try await house.member(ScriptedModel([])) }
    #expect(error?.message.contains("later version") == true && error?.message.contains("rooms") == true)
  }
}
