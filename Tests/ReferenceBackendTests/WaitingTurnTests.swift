import EventLedger
import Foundation
import GRDB
import HTTPTypes
import ReferenceBackend
import ResolveKitCore
import TestSupport
import Testing

/// Calls that wait for a person while the backend goes away and comes back.
@Suite(.timeLimit(.minutes(10)))
struct WaitingTurnTests {
  private static func asking(_ ids: [String]) -> ScriptedModel.Step {
    { _, output in
      try await output(.text("Let me see."))
      try await output(.usage(ModelUsage(promptTokens: 3, completionTokens: 4)))
      try await output(.toolCalls(ids.map { ModelToolCall(id: $0, name: "tool", arguments: ["of": .string($0)]) }))
    }
  }

  private static let end: ScriptedModel.Step = { conversation, output in
    let results = conversation.messages.compactMap { message in
      if case .toolResult(_, _, let content) = message { content } else { nil }
    }
    try await output(.text(results.joined(separator: ",")))
    try await output(.usage(ModelUsage(promptTokens: 10, completionTokens: 20)))
  }

  private func begin(_ folder: TemporaryFolder, calls: [String]) async throws -> (TestSession, turn: String) {
    let harness = try await Harness(model: ScriptedModel([Self.asking(calls)]), path: folder.path("a.sqlite"))
    try await harness.register([["name": "tool", "timeout_seconds": 30]])
    let session = try await harness.openSession(tools: ["tool"])
    var reader = try await session.stream()
    let turn = try await session.say("x", requestID: "r")
    var asked = 0
    while asked < calls.count, let event = try await reader.nextEvent() {
      if event.type == "tool_call_request" { asked += 1 }
    }
    return (session, turn)
  }

  private func reopen(
    _ session: TestSession, _ path: String, clock: SteppedClock = SteppedClock(), later: Duration = .zero
  ) async throws -> TestSession {
    let time = SetTime()
    time.advance(by: later)
    let harness = try await Harness(model: ScriptedModel([Self.end]), path: path, clock: clock, time: time)
    return TestSession(harness: harness, id: session.id, token: session.token, isReused: true)
  }

  @Test func aCallThatWaitsAtACrashWaitsOn() async throws {
    let folder = try TemporaryFolder()
    let (session, turn) = try await begin(folder, calls: ["a", "b"])
    // What is accepted is accepted permanently, whether it is used or not.
    #expect(try await session.sendResult(9, turn: turn, call: "b", key: "kb").status == 200)
    let again = try await reopen(session, try folder.crashed("a.sqlite"))
    #expect(try await again.post("y", requestID: "r2").status == 409)
    let repeated = try await again.sendResult(9, turn: turn, call: "b", key: "kb")
    #expect(repeated.json == ["status": "ok", "deduplicated": true])
    let first = try await again.sendResult("yes", turn: turn, call: "a", key: "ka")
    #expect(first.json == ["status": "ok", "deduplicated": false])
    let events = try await again.eventsOfTurn()
    #expect(
      events.map(\.type) == [
        "assistant_text_delta", "tool_call_request", "tool_call_request", "assistant_text_delta", "turn_complete",
      ])
    #expect(events.allSatisfy { $0.turnID == turn && $0.requestID == "r" })
    #expect(events.last?.payload["full_text"] == "Let me see.\n\nyes,9")
    #expect(events.last?.payload["usage"] == ["prompt_tokens": 13, "completion_tokens": 24])
    #expect(events[3].payload["accumulated"] == events.last?.payload["full_text"])
    await again.harness.core.turns.waitUntilIdle()
    #expect(try await again.history().map(\.content).suffix(2) == ["x", "Let me see.\n\nyes,9"])
    await session.harness.core.close()
    await again.harness.core.close()
  }

  /// The crash comes when the answer is kept and its event is not: the next start says it, and asks nobody again.
  @Test func aTurnWhoseAnswerIsKeptIsNotAnsweredAgain() async throws {
    let folder = try TemporaryFolder()
    let (session, turn) = try await begin(folder, calls: ["a"])
    try await session.harness.database.writer.write { database in
      try database.execute(
        sql: """
          CREATE TRIGGER broken BEFORE INSERT ON ledger_events WHEN new.type <> 'assistant_text_delta'
          BEGIN SELECT RAISE(ABORT, 'the disk takes nothing'); END
          """)
    }
    _ = try await session.harness.call(.post, session.path("turns/\(turn)/cancel"), token: session.token)
    await session.harness.clock.waitForSleeper(until: .seconds(1))
    let path = try folder.crashed("a.sqlite")
    do {
      let database = try BackendDatabase(path: path)
      try await database.writer.write { try $0.execute(sql: "DROP TRIGGER broken") }
      try database.close()
    }
    let again = try await reopen(session, path)
    #expect(try await again.eventsOfTurn().last?.payload["code"] == "cancelled")
    await again.harness.core.turns.waitUntilIdle()
    #expect(try await again.history().map(\.content).suffix(2) == ["x", "Let me see."])
    await session.harness.core.close()
    await again.harness.core.close()
  }

  @Test func theNewOwnerIsReportedAfterACrash() async throws {
    let folder = try TemporaryFolder()
    let (session, turn) = try await begin(folder, calls: ["a"])
    let path = try folder.crashed("a.sqlite")
    do {
      let database = try BackendDatabase(path: path)
      try await database.writer.write { try $0.execute(sql: "UPDATE sessions SET status = 'escalated'") }
    }
    let again = try await reopen(session, path)
    let last = try await again.eventsOfTurn().last
    #expect(last?.type == "session_escalated" && last?.turnID == turn)
    await session.harness.core.close()
    await again.harness.core.close()
  }

  @Test func whatATurnNeededGoesWithIt() async throws {
    let folder = try TemporaryFolder()
    let (session, turn) = try await begin(folder, calls: ["a"])
    let again = try await reopen(session, try folder.crashed("a.sqlite"))
    #expect(try await again.sendResult("a result", turn: turn, call: "a", key: "k").status == 200)
    await again.harness.core.turns.waitUntilIdle()
    let left = try await again.harness.database.writer.read { database in
      try String.fetchAll(database, sql: "SELECT arguments || outcome FROM calls UNION SELECT text FROM rounds")
    }
    #expect(left == ["{}{}"])
    let repeated = try await again.sendResult("a result", turn: turn, call: "a", key: "k")
    #expect(repeated.json == ["status": "ok", "deduplicated": true])
    await session.harness.core.close()
    await again.harness.core.close()
  }

  @Test func itsTimeContinuesFromWhereItWas() async throws {
    let folder = try TemporaryFolder()
    let (session, turn) = try await begin(folder, calls: ["a"])
    // The call's time begins on disk before the turn waits.
    await session.harness.clock.waitForSleeper(until: .seconds(30))
    let clock = SteppedClock()
    let again = try await reopen(session, try folder.crashed("a.sqlite"), clock: clock, later: .seconds(21))
    await clock.waitForSleeper(until: .seconds(9))
    clock.advance(by: .seconds(9))
    let timeout = #"{"error":"Function 'tool' timed out after 30s"}"#
    #expect(try await again.eventsOfTurn().last?.payload["full_text"]?.stringValue == "Let me see.\n\n" + timeout)
    #expect(try await again.sendResult("late", turn: turn, call: "a", key: "k").status == 404)
    await session.harness.core.close()
    await again.harness.core.close()
  }

  @Test func itsTimeMayEndWhileNobodyIsThere() async throws {
    let folder = try TemporaryFolder()
    let (session, turn) = try await begin(folder, calls: ["a"])
    await session.harness.clock.waitForSleeper(until: .seconds(30))
    let clock = SteppedClock()
    let again = try await reopen(session, try folder.crashed("a.sqlite"), clock: clock, later: .seconds(3_000))
    #expect(try await again.eventsOfTurn().last?.type == "turn_complete")
    #expect(try await again.sendResult("late", turn: turn, call: "a", key: "k").status == 404)
    await session.harness.core.close()
    await again.harness.core.close()
  }

  @Test func anOrderlyStopAndAThirdStartChangeNothing() async throws {
    let folder = try TemporaryFolder()
    let (session, turn) = try await begin(folder, calls: ["a"])
    await session.harness.core.close()
    let second = try await reopen(session, folder.path("a.sqlite"))
    await second.harness.core.close()
    let third = try await reopen(session, folder.path("a.sqlite"))
    #expect(try await third.sendResult("ok", turn: turn, call: "a", key: "k").status == 200)
    let events = try await third.eventsOfTurn()
    #expect(events.filter { $0.type == "tool_call_request" }.count == 1)
    #expect(events.last?.payload["full_text"] == "Let me see.\n\nok")
    await third.harness.core.close()
  }

  /// A descriptor as a child has it between its fork and its program.
  @Test func aCopyOfTheLocksDescriptorKeepsNobodyOut() async throws {
    let folder = try TemporaryFolder()
    let (session, _) = try await begin(folder, calls: ["a"])
    let name = folder.path("a.sqlite") + ".lock"
    let all = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { Int32($0) }
    let lock = all.first { (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == name }
    let copy = dup(try #require(lock))
    defer { close(copy) }
    await session.harness.core.close()
    let again = try await reopen(session, folder.path("a.sqlite"))
    await again.harness.core.close()
  }

  @Test func aWaitingTurnCanBeStoppedAfterARestart() async throws {
    let folder = try TemporaryFolder()
    let (session, turn) = try await begin(folder, calls: ["a"])
    await session.harness.core.close()
    let again = try await reopen(session, folder.path("a.sqlite"))
    #expect(
      try await again.harness.call(.post, again.path("turns/\(turn)/cancel"), token: again.token).status == 202)
    #expect(try await again.eventsOfTurn().last?.payload["code"] == "cancelled")
    await again.harness.core.turns.waitUntilIdle()
    #expect(try await again.sendResult("late", turn: turn, call: "a", key: "k").status == 404)
    #expect(try await again.history().last?.content == "Let me see.")
    await again.harness.core.close()
  }

  /// Text behind the calls would be repeated: such a turn is reported as interrupted.
  @Test func aTurnThatHasContinuedIsNotTakenUp() async throws {
    let folder = try TemporaryFolder()
    let gate = Gate()
    let model = ScriptedModel([
      Self.asking(["a"]),
      { _, output in
        try await output(.text("It is"))
        await gate.wait()
      },
    ])
    let harness = try await Harness(model: model, path: folder.path("a.sqlite"))
    try await harness.register([["name": "tool"]])
    let session = try await harness.openSession(tools: ["tool"])
    var reader = try await session.stream()
    let turn = try await session.say("x", requestID: "r")
    for _ in 0..<2 { _ = try await reader.nextEvent() }
    _ = try await session.sendResult("ok", turn: turn, call: "a", key: "k")
    #expect(try await reader.nextEvent()?.payload["delta"] == "\n\nIt is")
    let again = try await reopen(session, try folder.crashed("a.sqlite"))
    #expect(try await again.eventsOfTurn().last?.payload["code"] == "interrupted")
    #expect(try await again.sendResult("ok", turn: turn, call: "a", key: "k").json.objectValue?["deduplicated"] == true)
    gate.open()
    await harness.core.close()
    await again.harness.core.close()
  }

  @Test func aResultIsForItsOwnSession() async throws {
    let folder = try TemporaryFolder()
    let (session, turn) = try await begin(folder, calls: ["a"])
    let stranger = try await session.harness.openSession(tools: ["tool"])
    #expect(try await stranger.sendResult("mine", turn: turn, call: "a", key: "k").status == 404)
    #expect(try await session.sendResult("ok", turn: turn, call: "a", key: "k").status == 200)
    await session.harness.core.close()
  }
}
