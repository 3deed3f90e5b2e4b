import Dispatch
import EventLedger
import EventLedgerPostgres
import HTTPTypes
import ReferenceBackend
import ResolveKitCore
import TestSupport
import Testing

/// Several backends on one database: a client may ask any of them, and sees one log.
@Suite(.timeLimit(.minutes(10)), .enabled(if: SharedHouse.isPossible, "PostgreSQL is not installed"))
struct SharedDatabaseTests {
  private static let asking: ScriptedModel.Step = { _, output in
    try await output(.text("Let me see."))
    try await output(.toolCalls([ModelToolCall(id: "a", name: "tool", arguments: [:])]))
  }

  private static let telling: ScriptedModel.Step = { conversation, output in
    if case .toolResult(_, _, let content) = conversation.messages.last { try await output(.text(content)) }
  }

  private func begin(_ member: SharedHouse.Member) async throws -> (TestSession, turn: String) {
    try await member.harness.register([["name": "tool", "timeout_seconds": 30]])
    let session = try await member.harness.openSession(tools: ["tool"])
    return (session, try await session.say("x", requestID: "r"))
  }

  private func awaitEvent(_ type: String, in session: TestSession) async throws {
    var reader = try await session.stream()
    while let event = try await reader.nextEvent(), event.type != type {}
  }

  @Test func everyRequestMayGoToAnotherBackend() async throws {
    let house = try SharedHouse()
    // None is to be taken for gone where the machine is busy.
    let one = try await house.member(ScriptedModel([Self.asking, Self.telling]), lease: .seconds(60))
    let other = try await house.member(ScriptedModel([]), lease: .seconds(60))
    let (session, turn) = try await begin(one)
    let there = other.continuing(session)
    // The other one's stream is woken by what the first one says.
    try await awaitEvent("tool_call_request", in: there)
    #expect(try await there.say("x", requestID: "r") == turn)
    #expect(try await there.post("y", requestID: "r2").status == 409)
    #expect(
      try await there.sendResult("done", turn: turn, call: "a", key: "k").json
        == ["status": "ok", "deduplicated": false])
    #expect(
      try await session.sendResult("done", turn: turn, call: "a", key: "k").json
        == ["status": "ok", "deduplicated": true])
    let events = try await there.eventsOfTurn()
    #expect(events.last?.payload["full_text"] == "Let me see.\n\ndone")
    #expect(try await session.eventsOfTurn() == events)
    let cursor = events[1].id
    #expect(try await there.eventsOfTurn(after: cursor) == Array(events.dropFirst(2)))
    #expect(try await there.history().last?.content == "Let me see.\n\ndone")
    await one.harness.core.close()
    await other.harness.core.close()
  }

  @Test func aTurnThatWaitsForAToolIsTakenOn() async throws {
    let house = try SharedHouse()
    let one = try await house.member(ScriptedModel([Self.asking]))
    let other = try await house.member(ScriptedModel([Self.telling]))
    let (session, turn) = try await begin(one)
    let there = other.continuing(session)
    try await awaitEvent("tool_call_request", in: there)
    one.vanish()
    // Taken before or after the other one has the turn, it is not lost.
    #expect(try await there.sendResult("done", turn: turn, call: "a", key: "k").status == 200)
    let events = try await there.eventsOfTurn()
    #expect(
      events.map(\.type) == ["assistant_text_delta", "tool_call_request", "assistant_text_delta", "turn_complete"])
    #expect(events.last?.payload["full_text"] == "Let me see.\n\ndone")
    await other.harness.core.close()
    await one.harness.core.close()
  }

  @Test func aTurnInTheMiddleOfItsAnswerIsReportedAsInterrupted() async throws {
    let house = try SharedHouse()
    let gate = Gate()
    let one = try await house.member(ScriptedModel.halting(gate))
    let other = try await house.member(ScriptedModel(words: ["new"]))
    let session = try await one.harness.openSession()
    try await session.say("x", requestID: "r")
    let there = other.continuing(session)
    try await awaitEvent("assistant_text_delta", in: there)
    one.vanish()
    let events = try await there.eventsOfTurn()
    #expect(events.text == "half " && events.last?.payload["code"] == "interrupted")
    try await there.say("y", requestID: "r2")
    #expect(try await there.eventsOfTurn(after: events.last?.id).text == "new")
    gate.open()
    await one.harness.core.close()
    await other.harness.core.close()
  }

  /// The first session's turn cannot be read.
  @Test func aTurnThatCannotBeTakenUpIsInNobodysWay() async throws {
    let house = try SharedHouse()
    let gate = Gate()
    let step: ScriptedModel.Step = { _, output in
      try await output(.text("half "))
      await gate.wait()
    }
    let one = try await house.member(ScriptedModel([step, step]))
    let sessions = [try await one.harness.openSession(), try await one.harness.openSession()]
    for session in sessions {
      try await session.say("x", requestID: "r")
      try await awaitEvent("assistant_text_delta", in: session)
    }
    one.vanish()
    try house.run("UPDATE turns SET ending = '{' WHERE session_id = '\(sessions[0].id)'")
    try house.run("UPDATE ledger_streams SET expires_at = 0 WHERE name = 'session/\(sessions[0].id)'")
    let other = try await house.member(ScriptedModel([]))
    #expect(try await other.continuing(sessions[1]).eventsOfTurn().last?.payload["code"] == "interrupted")
    gate.open()
    await one.harness.core.close()
    await other.harness.core.close()
  }

  @Test func ofTwoMessagesAtOnceOneBegins() async throws {
    let house = try SharedHouse()
    let gate = Gate()
    let model = ScriptedModel(Array(repeating: { _, _ in await gate.wait() }, count: 24))
    let members = [try await house.member(model), try await house.member(model)]
    for _ in 0..<12 {
      let session = try await members[0].harness.openSession()
      let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
        for (number, member) in members.enumerated() {
          let place = member.continuing(session)
          group.addTask { try await place.post("\(number)", requestID: "r\(number)").status }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(statuses.sorted() == [202, 409])
    }
    gate.open()
    for member in members { await member.harness.core.close() }
  }

  /// The database has stored the turn, and its answer was lost: nobody runs it, and its sender asks again.
  @Test func aTurnWhoseBeginningWasNotConfirmedRunsWhenItIsAskedForAgain() async throws {
    let house = try SharedHouse()
    // Nobody takes the turn up as left by another within this lease.
    let one = try await house.member(ScriptedModel(words: ["here"]), lease: .seconds(3_600))
    let session = try await one.harness.openSession()
    let beginning = try await TurnStore(one.ledger.rows).begin(
      "unconfirmed", sessionID: session.id, requestID: "r", text: "x",
      now: WallTime(microseconds: 1_800_000_000_000_000), limit: 10)
    #expect(beginning == .began(turnID: "unconfirmed"))
    #expect(try await session.say("x", requestID: "r") == "unconfirmed")
    #expect(try await session.eventsOfTurn().text == "here")
    await one.harness.core.close()
  }

  /// The owner lives, and its lease is over all the same: what a stopped process finds when it continues.
  @Test func whatAFormerOwnerSaysIsRefused() async throws {
    let house = try SharedHouse()
    let gate = Gate()
    let one = try await house.member(ScriptedModel.halting(gate), lease: .seconds(60))
    let session = try await one.harness.openSession()
    try await session.say("x", requestID: "r")
    try await awaitEvent("assistant_text_delta", in: session)
    try house.run("UPDATE ledger_streams SET expires_at = 0")
    let other = try await house.member(ScriptedModel(words: ["new"]))
    let there = other.continuing(session)
    let events = try await there.eventsOfTurn()
    #expect(events.last?.payload["code"] == "interrupted")
    gate.open()
    await one.harness.core.turns.waitUntilIdle()
    #expect(try await one.harness.core.log.events(of: session.id, after: .beginning, limit: 10).count == 2)
    #expect(try await session.history().map(\.content).suffix(1) == ["x"])
    await one.harness.core.close()
    await other.harness.core.close()
  }

  @Test func whatIsDoneElsewhereReachesTheTurn() async throws {
    let house = try SharedHouse()
    let waiting: ScriptedModel.Step = { _, output in
      try await output(.text("So "))
      for await _ in AsyncStream<Void>.makeStream().stream {}
      try Task.checkCancellation()
    }
    let one = try await house.member(ScriptedModel([waiting, waiting]))
    let other = try await house.member(ScriptedModel([]))
    let session = try await one.harness.openSession()
    let there = other.continuing(session)
    let turn = try await session.say("x", requestID: "r")
    try await awaitEvent("assistant_text_delta", in: there)
    #expect(
      try await other.harness.call(.post, there.path("turns/\(turn)/cancel"), token: there.token).status == 202)
    let cancelled = try await there.eventsOfTurn()
    #expect(cancelled.last?.payload["code"] == "cancelled")
    // A person speaks between the turn's words, and takes over.
    try await session.say("y", requestID: "r2")
    var reader = try await session.stream(after: cancelled.last?.id)
    #expect(try await reader.nextEvent()?.payload["delta"] == "So ")
    func act(_ route: String, _ body: String) async throws -> Int {
      try await other.harness.call(
        .post, "/internal/sessions/\(session.id)/\(route)", body, key: Harness.operatorKey
      ).status
    }
    #expect(try await act("human-message", #"{"text":"I am Ana."}"#) == 201)
    #expect(try await reader.nextEvent()?.type == "human_message")
    #expect(try await act("session-escalated", #"{"reason":"Ana helps."}"#) == 200)
    #expect(try await reader.nextEvent()?.type == "session_escalated")
    #expect(try await act("human-message", #"{"text":"Hello."}"#) == 201)
    #expect(try await reader.nextEvent()?.payload["text"] == "Hello.")
    #expect(try await session.post("z", requestID: "r3").status == 410)
    await one.harness.core.close()
    await other.harness.core.close()
  }

  @Test func anOrderlyStopHandsTheTurnsOver() async throws {
    let house = try SharedHouse()
    // Its lease would last longer than the test.
    let one = try await house.member(ScriptedModel([Self.asking]), lease: .seconds(3_600))
    let other = try await house.member(ScriptedModel([Self.telling]))
    let (session, turn) = try await begin(one)
    let there = other.continuing(session)
    try await awaitEvent("tool_call_request", in: there)
    await one.harness.core.close()
    #expect(try await there.sendResult("done", turn: turn, call: "a", key: "k").status == 200)
    #expect(try await there.eventsOfTurn().last?.payload["full_text"] == "Let me see.\n\ndone")
    await other.harness.core.close()
  }

  @Test func sessionsTalkAtOnceOverThreeBackends() async throws {
    let house = try SharedHouse()
    let words = (0..<20).map { "\($0) " }
    let step: ScriptedModel.Step = { _, output in for word in words { try await output(.text(word)) } }
    var members: [SharedHouse.Member] = []
    for _ in 0..<3 {
      let model = ScriptedModel(Array(repeating: step, count: 30))
      members.append(try await house.member(model, lease: .seconds(60)))
    }
    try await withThrowingTaskGroup(of: Void.self) { [members] group in
      for number in 0..<30 {
        group.addTask {
          let session = try await members[number % 3].harness.openSession()
          let places = members.map { $0.continuing(session) }
          // The same request at all of them is one turn.
          let turns = try await withThrowingTaskGroup(of: String.self) { posts in
            for place in places { posts.addTask { try await place.say("\(number)", requestID: "r") } }
            return try await posts.reduce(into: Set<String>()) { $0.insert($1) }
          }
          #expect(turns.count == 1)
          for place in places {
            let events = try await place.eventsOfTurn()
            #expect(events.count == 21 && events.text == words.joined())
          }
        }
      }
      try await group.waitForAll()
    }
    for member in members { await member.harness.core.close() }
  }

  /// Neither hangs: a client is asked to come again.
  @Test func anExhaustedPoolAndAServerThatIsGoneAreReported() async throws {
    let server = try PostgresCluster(settings: ["fsync=off"])
    let house = try SharedHouse(server: server)
    let (clock, begun, held) = (ManualClock(), Gate(), DispatchSemaphore(value: 0))
    let one = try await house.member(ScriptedModel(words: ["a"]), limits: PostgresLimits(connections: 1), clock: clock)
    let session = try await one.harness.openSession()
    let holder = Task {
      try await one.ledger.rows.read { _ in
        begun.open()
        held.wait()
      }
    }
    await begun.wait()
    let asking = Task { try await session.post("x", requestID: "r").status }
    let time = Task {
      while !Task.isCancelled {
        await clock.waitForSleep(of: .seconds(1))
        clock.advance(by: .seconds(1))
      }
    }
    #expect(try await asking.value == 503)
    time.cancel()
    held.signal()
    try await holder.value
    #expect(try await session.post("x", requestID: "r").status == 202)
    server.stop()
    #expect(try await session.post("y", requestID: "r2").status == 503)
    await one.harness.core.close()
  }
}
