import EventLedger
import Foundation
import HTTPTypes
import ReferenceBackend
import ResolveKitCore
import TestSupport
import Testing

/// A database that is restored from an older backup: clients that are further than the backup learn of it.
@Suite(.timeLimit(.minutes(10)))
struct RestoredBackupTests {
  private static func model(_ words: String...) -> ScriptedModel {
    ScriptedModel(words.map { word in { _, output in try await output(.text(word)) } })
  }

  private func speak(_ session: TestSession, _ request: String, after cursor: String? = nil) async throws -> [TestEvent]
  {
    try await session.say("x", requestID: request)
    let events = try await session.eventsOfTurn(after: cursor)
    await session.harness.core.turns.waitUntilIdle()
    return events
  }

  private func refusal(_ session: TestSession, _ cursor: String) async throws -> JSONObject? {
    let answer = try await session.harness.call(.get, session.path("events?cursor=\(cursor)"), token: session.token)
    #expect(answer.status == 410)
    return answer.json.objectValue?["detail"]?.objectValue
  }

  /// Puts a backup in a database's place, as an operator does.
  private func restore(_ backup: String, as path: String) throws {
    for suffix in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: path + suffix) {
      try FileManager.default.removeItem(atPath: path + suffix)
    }
    try FileManager.default.copyItem(atPath: backup, toPath: path)
  }

  @Test func aCursorFromAfterTheBackupIsRefusedAndOneFromBeforeItIsNot() async throws {
    let folder = try TemporaryFolder()
    let (path, backup) = (folder.path("db"), folder.path("backup"))
    let time = SetTime()
    var harness = try await Harness(model: Self.model("one", "two"), path: path, time: time)
    let opened = try await harness.openSession()
    let before = try #require(try await speak(opened, "1").last?.id)
    try await SQLiteEventLedger(migrated: harness.database.writer).backup(to: backup)
    let gone = try await speak(opened, "2", after: before)
    #expect(gone.map(\.id) == ["3", "4"])
    await harness.core.close()

    // Twice, as where the first restore was a mistake.
    var earlier = gone.map(\.id)
    for word in ["three", "four"] {
      try restore(backup, as: path)
      time.advance(by: .seconds(100))
      harness = try await Harness(model: Self.model(word), path: path, time: time)
      let session = TestSession(harness: harness, id: opened.id, token: opened.token, isReused: true)
      #expect(try await refusal(session, earlier[0])?["code"] == "cursor_unknown")
      let now = try await speak(session, "3", after: before)
      #expect(now.text == word && now.count == 2)
      // As many events as before: the numbers alone would be the same.
      for id in earlier {
        let detail = try await refusal(session, id)
        #expect(detail?["code"] == "cursor_unknown")
        #expect(detail?["message"]?.stringValue?.contains("backup") == true)
      }
      #expect(Set(now.map(\.id)).isDisjoint(with: earlier))
      #expect(try await session.eventsOfTurn(after: now[0].id).map(\.id) == [now[1].id])
      // What is kept of before has the ids that it had.
      #expect(try await session.eventsOfTurn().map(\.id) == ["1", "2"])
      earlier += now.map(\.id)
      await harness.core.close()
    }

    // A restart is no restore.
    harness = try await Harness(model: Self.model("five"), path: path, time: time)
    let session = TestSession(harness: harness, id: opened.id, token: opened.token, isReused: true)
    let last = try #require(earlier.last)
    let more = try await speak(session, "5", after: last)
    #expect(more.text == "five")
    #expect(more.first?.id.split(separator: ".").last == last.split(separator: ".").last)
    await harness.core.close()
  }

  @Test func theLastEventThatWasDroppedIsTakenForTheCurrentHistorysAlone() async throws {
    let folder = try TemporaryFolder()
    let (path, backup) = (folder.path("db"), folder.path("backup"))
    let time = SetTime()
    let settings = BackendSettings(sessionLifetime: .seconds(1_000_000), retention: .seconds(100))
    var harness = try await Harness(model: Self.model("one"), path: path, settings: settings, time: time)
    let opened = try await harness.openSession()
    let old = try #require(try await speak(opened, "1").last?.id)
    try await SQLiteEventLedger(migrated: harness.database.writer).backup(to: backup)
    await harness.core.close()
    try restore(backup, as: path)
    harness = try await Harness(model: Self.model("two", "three"), path: path, settings: settings, time: time)
    let session = TestSession(harness: harness, id: opened.id, token: opened.token, isReused: true)
    let dropped = try #require(try await speak(session, "2", after: old).last?.id)
    time.advance(by: .seconds(200))
    let kept = try await speak(session, "3", after: dropped)
    try await harness.core.prune()
    #expect(try await session.eventsOfTurn(after: dropped) == kept)
    #expect(try await refusal(session, "4")?["code"] == "cursor_unknown")
    #expect(try await refusal(session, old)?["code"] == "cursor_expired")
    await harness.core.close()
  }

  @Test(arguments: ["7.", ".7", ".", "7.0", "7.01", "7.1.2", "7.-1", "7.x", "07.1", "-7.1", "7.9223372036854775808"])
  func whatNoHistoryGivesIsNoCursor(_ text: String) {
    #expect(HistoryCursor(text: text) == nil)
  }

  @Test func aCursorIsReadAsItWasWritten() {
    for cursor in [
      HistoryCursor(EventID(7)), HistoryCursor(EventID(.max), LogHistory(.max)),
      HistoryCursor(EventID(0), LogHistory(1)),
    ] {
      #expect(HistoryCursor(text: cursor.text) == cursor)
    }
    #expect(HistoryCursor(EventID(7)).text == "7")
    #expect(HistoryCursor(EventID(7), LogHistory(1_800_000_000)).text == "7.1800000000")
    #expect(EventIDStyle.milliseconds.cursor("5-7.1800000000") == HistoryCursor(EventID(7), LogHistory(1_800_000_000)))
  }

  /// Where the server is restored, or another takes over, while backends run.
  @Test(.enabled(if: SharedHouse.isPossible, "PostgreSQL is not installed"))
  func streamsOfAServerThatWasReplacedEnd() async throws {
    let house = try SharedHouse()
    let member = try await house.member(Self.model("one", "two", "two", "two", "two", "two"), lease: .seconds(60))
    let session = try await member.harness.openSession()
    let first = try await speak(session, "1")
    var reader = try await session.stream(after: first.last?.id)
    // Another cluster, timeline or database has another origin.
    try house.run("UPDATE ledger_identity SET origin = 'elsewhere'")
    try house.run(
      """
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()
      """)
    #expect(try await reader.nextEvent() == nil)
    // Each connection's loss is noticed for itself: a turn may be over, or its stream end, before the new history is known.
    var turn: [TestEvent] = []
    for request in 2...6 where turn.isEmpty || !turn.allSatisfy({ $0.id.contains(".") }) {
      while try await session.post("x", requestID: "\(request)").status != 202 {}
      repeat {
        turn = []
        reader = try await session.stream(after: first.last?.id)
        while turn.last?.isTerminal != true, let event = try await reader.nextEvent() {
          if event.requestID == "\(request)" { turn.append(event) }
        }
      } while turn.last?.isTerminal != true
    }
    #expect(turn.text == "two")
    #expect(turn.allSatisfy { $0.id.contains(".") })
    await member.harness.core.close()
  }
}
