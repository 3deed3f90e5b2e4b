import EventLedger
import GRDB
import HTTPTypes
import ReferenceBackend
import ResolveKitCore
import TestSupport
import Testing

/// A disk that takes nothing, and what goes when its time is over.
@Suite(.timeLimit(.minutes(10)))
struct StorageTests {
  private static let breakLog =
    "CREATE TRIGGER broken BEFORE INSERT ON ledger_events BEGIN SELECT RAISE(ABORT, 'the disk takes nothing'); END"
  private static let mendLog = "DROP TRIGGER broken"

  private func execute(_ sql: String, _ harness: Harness) async throws {
    try await harness.database.writer.write { try $0.execute(sql: sql) }
  }

  @Test func aFullDiskIsReportedAndLosesNothing() async throws {
    let harness = try await Harness(model: ScriptedModel(words: ["ok"]))
    let session = try await harness.openSession()
    let pages = try await harness.database.writer.read { try Int.fetchOne($0, sql: "PRAGMA page_count") ?? 0 }
    try await execute("PRAGMA max_page_count = \(pages)", harness)
    let text = String(repeating: "x", count: 30_000)
    let refused = try await harness.call(
      .post, session.path("messages"), #"{"text":"\#(text)","request_id":"r"}"#, token: session.token)
    #expect(refused.status == 503)
    #expect(refused.headers[.retryAfter] == "5")
    #expect(refused.json.objectValue?["detail"]?.stringValue?.contains("store") == true)
    #expect(try await session.history().count == 1)
    try await execute("PRAGMA max_page_count = 1000000", harness)
    try await session.say(text, requestID: "r")
    #expect(try await session.eventsOfTurn().last?.payload["full_text"] == "ok")
    #expect(try await session.history().map(\.content).suffix(2) == [text, "ok"])
  }

  /// The turn's end waits for the disk, and the session with it; nothing of it is written twice.
  @Test func aTurnEndsWhenTheDiskTakesItAgain() async throws {
    let gate = Gate()
    let model = ScriptedModel([
      { _, output in
        try await output(.text("half"))
        await gate.wait()
        try await output(.text("more"))
      }, { _, output in try await output(.text("ok")) },
    ])
    let harness = try await Harness(model: model)
    let session = try await harness.openSession()
    var reader = try await session.stream()
    try await session.say("x", requestID: "r")
    #expect(try await reader.nextEvent()?.payload["delta"] == "half")
    try await execute(Self.breakLog, harness)
    gate.open()
    await harness.clock.waitForSleeper(until: .seconds(1))
    #expect(try await session.post("y", requestID: "r2").status == 409)
    try await execute(Self.mendLog, harness)
    harness.clock.advance(by: .seconds(1))
    #expect(try await reader.nextEvent()?.payload["code"] == "transport_error")
    #expect(try await session.post("y", requestID: "r2").status == 202)
    #expect(try await reader.nextEvent()?.payload["delta"] == "ok")
  }

  @Test func aStopDoesNotWaitForTheDisk() async throws {
    let gate = Gate()
    let model = ScriptedModel([
      { _, output in
        await gate.wait()
        try await output(.text("more"))
      }
    ])
    let harness = try await Harness(model: model)
    let session = try await harness.openSession()
    try await session.say("x", requestID: "r")
    try await execute(Self.breakLog, harness)
    gate.open()
    await harness.clock.waitForSleeper(until: .seconds(1))
    await harness.core.turns.stop()
  }

  @Test func sessionsGoWithAllThatIsTheirs() async throws {
    let settings = BackendSettings(sessionLifetime: .seconds(1_000), retention: .seconds(100))
    let model = ScriptedModel([
      { _, output in try await output(.toolCalls([ModelToolCall(id: "a", name: "none", arguments: [:])])) },
      { _, output in try await output(.text("ok")) },
    ])
    let harness = try await Harness(model: model, settings: settings)
    let old = try await harness.openSession()
    try await old.say("x", requestID: "r")
    _ = try await old.eventsOfTurn()
    await harness.core.turns.waitUntilIdle()
    _ = try await harness.call(.post, old.path("feedback"), #"{"rating":5}"#, token: old.token)
    harness.time.advance(by: .seconds(900))
    let new = try await harness.openSession()
    // Its events are gone; it lives, so the rest is there.
    try await harness.core.prune()
    #expect(try await old.history().count == 3)
    harness.time.advance(by: .seconds(200))
    try await harness.core.prune()
    let counts = try await harness.database.writer.read { database in
      try ["sessions", "messages", "turns", "rounds", "calls", "ledger_events", "ledger_keys", "feedback"].map {
        try Int.fetchOne(database, sql: "SELECT count(*) FROM \($0)") ?? -1
      }
    }
    #expect(counts == [1, 1, 0, 0, 0, 0, 0, 0])
    #expect(try await new.history().count == 1)
  }

  /// Each delta carries all text before it: a reader of a long answer holds a page of it, whatever the number of events.
  @Test func aPageOfTheLogIsBounded() async throws {
    let log = try await LogUnderTest.make(.memory)
    let word = String(repeating: "x", count: 2_000)
    var text = ""
    for _ in 0..<100 {
      text += word
      try await log.append([.assistantTextDelta(delta: word, accumulated: text)])
    }
    var position = LogPosition(after: .beginning)
    var pages = 0
    var read = 0
    while true {
      let page = try await log.log.page(of: "s", from: position, limit: 256)
      if page.events.isEmpty { break }
      let bytes = page.events.map(\.payloadText.utf8.count)
      #expect(bytes.dropLast().reduce(0, +) < LogPage.byteLimit)
      read += page.events.count
      pages += 1
      #expect(page.events.last?.payload.objectValue?["accumulated"]?.stringValue?.utf8.count == read * 2_000)
      position = page.position
    }
    #expect(read == 100 && pages > 25)
  }

  @Test func turnsAtOnceAreLimited() async throws {
    let gate = Gate()
    let model = ScriptedModel([
      { _, output in
        await gate.wait()
        try await output(.text("a"))
      }, { _, output in try await output(.text("b")) },
    ])
    let harness = try await Harness(model: model, settings: BackendSettings(turns: TurnLimits(atOnce: 1)))
    let (one, other) = (try await harness.openSession(), try await harness.openSession())
    let turn = try await one.say("x", requestID: "r")
    #expect(try await other.post("y", requestID: "r").status == 503)
    #expect(try await other.history().count == 1)
    // What was accepted stays accepted.
    #expect(try await one.say("x", requestID: "r") == turn)
    gate.open()
    await harness.core.turns.waitUntilIdle()
    #expect(try await other.post("y", requestID: "r").status == 202)
  }

  @Test func manySessionsTalkAtOnce() async throws {
    let folder = try TemporaryFolder()
    let words = (0..<100).map { "\($0) " }
    let step: ScriptedModel.Step = { _, output in for word in words { try await output(.text(word)) } }
    let harness = try await Harness(
      model: ScriptedModel(Array(repeating: step, count: 40)), path: folder.path("a.sqlite"))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<40 {
        group.addTask {
          let session = try await harness.openSession()
          // The same request from everywhere is one turn.
          let turns = try await withThrowingTaskGroup(of: String.self) { posts in
            for _ in 0..<4 { posts.addTask { try await session.say("\(number)", requestID: "r") } }
            return try await posts.reduce(into: Set<String>()) { $0.insert($1) }
          }
          #expect(turns.count == 1)
          let events = try await session.eventsOfTurn()
          #expect(events.count == 101 && events.text == words.joined())
        }
      }
      try await group.waitForAll()
    }
    await harness.core.close()
  }

  /// An app that gives its tools new names with each start would fill the database.
  @Test func toolsThatWereReplacedAreKeptUpToALimit() async throws {
    let harness = try await Harness()
    func register(_ names: [String]) async throws -> [String?] {
      let functions = names.map {
        JSONValue.object(["name": .string($0), "description": "x", "parameters_schema": [:]])
      }
      let body = JSONValue.object(["functions": .array(functions)])
      let answer = try await harness.call(.put, "/v1/functions/bulk", body.jsonText)
      #expect(answer.status == 200)
      return (answer.json.arrayValue ?? []).map { $0.objectValue?["id"]?.stringValue }
    }
    let first = try await register(["kept"])
    for round in 0..<15 {
      harness.time.advance(by: .seconds(1))
      _ = try await register((0..<100).map { "tool_\(round)_\($0)" })
      if round == 8 { #expect(try await register(["kept"]) == first) }
    }
    let count = try await harness.database.writer.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM functions") }
    #expect(count == FunctionStore.keptInactive + 100)
  }

  @Test func aDatabaseOfALaterVersionIsRefusedWithASentence() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("later.sqlite")
    let first = try BackendDatabase(path: path)
    try first.writer.write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('rooms')") }
    try first.close()
    for _ in 0..<2 {
      let error = #expect(throws: BackendError.self) { try BackendDatabase(path: path) }
      #expect(error?.code == .database)
      #expect(error?.message.contains("later version") == true && error?.message.contains("rooms") == true)
    }
  }
}
