import EventLedger
import GRDB
import HTTPTypes
import ReferenceBackend
import ResolveKitCore
import Testing

/// A database of the version before the ledger.
@Suite(.timeLimit(.minutes(10)))
struct MigrationTests {
  private static let telling: ScriptedModel.Step = { conversation, output in
    if case .toolResult(_, _, let content) = conversation.messages.last { try await output(.text(content)) }
  }

  private func open() async throws -> (TemporaryFolder, Harness) {
    let folder = try TemporaryFolder()
    try EarlierDatabase.write(folder.path("a.sqlite"), at: SetTime().now)
    return (folder, try await Harness(model: ScriptedModel([Self.telling]), path: folder.path("a.sqlite")))
  }

  /// Tokens that the earlier version gave are good.
  private func session(_ id: String, _ harness: Harness) -> TestSession {
    TestSession(harness: harness, id: id, token: harness.core.token(for: id), isReused: true)
  }

  @Test func aTurnThatWaitedWaitsOnAndItsReaderContinuesWhereItWas() async throws {
    let (folder, harness) = try await open()
    let session = session(EarlierDatabase.waiting, harness)
    // The last event has the number that it had.
    #expect(try await session.sendResult("done", turn: EarlierDatabase.turn, call: "a", key: "k").status == 200)
    let rest = try await session.eventsOfTurn(after: "15")
    #expect(rest.map(\.type) == ["assistant_text_delta", "turn_complete"])
    #expect(rest.last?.payload["full_text"] == "Let me see.\n\ndone" && rest.first?.id == "16")
    #expect(rest.first?.payload["accumulated"] == "Let me see.\n\ndone")
    let all = try await session.eventsOfTurn()
    #expect(all.text == "Let me see.\n\ndone" && all.map(\.id) == ["13", "14", "15", "16", "17"])
    await harness.core.close()
    _ = folder
  }

  @Test func oldSessionsAreFoundByIndexes() async throws {
    let (folder, harness) = try await open()
    await harness.core.close()
    let database = try DatabaseQueue(path: folder.path("a.sqlite"))
    let indexes = try await database.read { database in
      try String.fetchAll(
        database, sql: "SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = 'sessions'")
    }
    #expect(Set(["sessions_by_activity", "sessions_by_creation", "sessions_condemned"]).isSubset(of: indexes))
    try database.close()
  }

  /// A reader that was behind gets some events twice, and none never; one whose events were gone learns of it.
  @Test(arguments: [
    (EarlierDatabase.waiting, "11", 200, 3), (EarlierDatabase.waiting, "13", 200, 2),
    (EarlierDatabase.pruned, "9", 410, 0), (EarlierDatabase.pruned, "12", 200, 2),
    (EarlierDatabase.waiting, "16", 410, 0),
  ])
  func noCursorLosesAnything(_ id: String, _ cursor: String, _ status: Int, _ count: Int) async throws {
    let (folder, harness) = try await open()
    let session = session(id, harness)
    if status == 200 {
      var reader = try await session.stream(after: cursor)
      for _ in 0..<count { #expect(try await reader.nextEvent() != nil) }
    } else {
      let answer = try await harness.call(.get, session.path("events?cursor=\(cursor)"), token: session.token)
      #expect(answer.status == status)
    }
    await harness.core.close()
    _ = folder
  }
}
