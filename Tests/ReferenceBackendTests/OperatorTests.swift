import HTTPTypes
import ReferenceBackend
import ResolveKitCore
import Testing

/// People at the other end.
@Suite(.timeLimit(.minutes(10)))
struct OperatorTests {
  private func act(
    _ session: TestSession, _ route: String, _ body: String? = nil, key: String? = Harness.operatorKey
  ) async throws -> (status: Int, json: JSONValue) {
    let answer = try await session.harness.call(.post, "/internal/sessions/\(session.id)/\(route)", body, key: key)
    return (answer.status, answer.json)
  }

  @Test(arguments: ["human-message", "feedback-requested", "session-escalated"])
  func theyHaveAKeyOfTheirOwn(route: String) async throws {
    let session = try await Harness().openSession()
    let body = route == "human-message" ? #"{"text":"x"}"# : nil
    #expect(try await act(session, route, body, key: nil).status == 401)
    #expect(try await act(session, route, body, key: Harness.key).status == 401)
    #expect(try await act(session, route, body).status < 300)
    let closed = try await Harness(operatorKey: nil).openSession()
    #expect(try await act(closed, route, body).status == 401)
    let unknown = "/internal/sessions/00000000-0000-4000-8000-000000000000/\(route)"
    let answer = try await session.harness.call(.post, unknown, body, key: Harness.operatorKey)
    #expect(answer.status == 404)
    #expect(try await act(session, route, #"{"text":7}"#).status == 422)
  }

  @Test func aMessageIsInTheHistoryAndOnTheStream() async throws {
    let session = try await Harness().openSession()
    let answer = try await act(session, "human-message", #"{"text":"I am Ana."}"#)
    #expect(answer.status == 201)
    var reader = try await session.stream()
    let event = try #require(try await reader.nextEvent())
    #expect(event.type == "human_message")
    #expect(event.payload["text"] == "I am Ana.")
    #expect(event.payload["message_id"] == answer.json.objectValue?["message_id"])
    #expect(try await session.history().last?.role == "human_agent")
    // It belongs to no turn: one may begin.
    #expect(try await session.post("hello", requestID: "r").status == 202)
  }

  @Test func aRatingIsAskedForAtOnceOrBehindAnAnswer() async throws {
    let harness = try await Harness(
      model: ScriptedModel(words: ["ok"]), settings: BackendSettings(asksForFeedback: true))
    let session = try await harness.openSession()
    let turn = try await session.say("hello", requestID: "r")
    await harness.core.turns.waitUntilIdle()
    #expect(try await act(session, "feedback-requested").status == 200)
    var reader = try await session.stream()
    var events: [TestEvent] = []
    while events.count < 4, let event = try await reader.nextEvent() { events.append(event) }
    #expect(
      events.map(\.type) == ["assistant_text_delta", "turn_complete", "feedback_requested", "feedback_requested"])
    #expect(events[2].payload == ["immediate": false] && events[2].turnID == turn)
    #expect(events[3].payload == ["immediate": true] && events[3].turnID != turn)
  }

  @Test func aTakeoverEndsTheRunningTurn() async throws {
    let (gate, open) = AsyncStream.makeStream(of: Void.self)
    let model = ScriptedModel([
      { _, output in
        try await output(.text("Let me "))
        for await _ in gate { break }
        try Task.checkCancellation()
      }
    ])
    let session = try await Harness(model: model).openSession()
    let turn = try await session.say("a person, please", requestID: "r")
    var reader = try await session.stream()
    #expect(try await reader.nextEvent()?.type == "assistant_text_delta")
    #expect(try await act(session, "session-escalated", #"{"reason":"Ana helps."}"#).status == 200)
    open.yield()
    let end = try #require(try await reader.nextEvent())
    #expect(end.type == "session_escalated" && end.turnID == turn && end.payload["reason"] == "Ana helps.")
    // No turn begins any more, but the stream continues.
    #expect(try await session.post("hello", requestID: "r2").status == 410)
    _ = try await act(session, "human-message", #"{"text":"I am Ana."}"#)
    #expect(try await reader.nextEvent()?.type == "human_message")
    #expect(try await session.harness.call(.get, session.path("messages"), token: session.token).status == 200)
  }

  @Test func aMessageThatWasLetInBeforeTheTakeoverBeginsNoTurn() async throws {
    let harness = try await Harness()
    let session = try await harness.openSession()
    let store = SessionStore(try harness.database.storage().rows)
    let record = try #require(try await store.session(session.id))
    try await store.escalate(session.id, reason: "Ana helps.", now: harness.time.now)
    #expect(try await harness.core.turns.begin(record, text: "x", requestID: "r") == .inactive)
    #expect(try await session.history().contains { $0.role == "user" } == false)
  }

  /// A backend whose turns run until they are ended.
  private func backendOfEndlessTurns(_ count: Int) async throws -> Harness {
    let step: ScriptedModel.Step = { _, _ in
      for await _ in AsyncStream<Void>.makeStream().stream {}
      try Task.checkCancellation()
    }
    return try await Harness(model: ScriptedModel(Array(repeating: step, count: count)))
  }

  private func takeovers(in session: TestSession) async throws -> Int {
    let core = session.harness.core
    await core.turns.waitUntilIdle()
    return try await core.log.events(of: session.id, after: .beginning, limit: 10)
      .count { $0.type == "session_escalated" }
  }

  // In the tests below something else comes up at each step of a takeover, or nearly so: it is reported once whatever that is,
  // and no turn runs on in a session that a person has.

  @Test func aMessageComesWithATakeover() async throws {
    let harness = try await backendOfEndlessTurns(200)
    for round in 0..<200 {
      let session = try await harness.openSession()
      async let message = session.post("x", requestID: "r")
      for _ in 0..<round % 20 { await Task.yield() }
      #expect(try await act(session, "session-escalated").status == 200)
      let status = try await message.status
      #expect(status == 202 || status == 410)
      #expect(try await takeovers(in: session) == 1)
    }
  }

  @Test func theUsersOwnStopComesWithATakeover() async throws {
    let harness = try await backendOfEndlessTurns(200)
    for round in 0..<200 {
      let session = try await harness.openSession()
      let turn = try await session.say("x", requestID: "r")
      async let stop = harness.call(.post, session.path("turns/\(turn)/cancel"), token: session.token)
      for _ in 0..<round % 20 { await Task.yield() }
      #expect(try await act(session, "session-escalated").status == 200)
      #expect(try await stop.status < 300)
      #expect(try await takeovers(in: session) == 1)
    }
  }

  @Test func whoTakesOverLeavesMeanwhile() async throws {
    let harness = try await backendOfEndlessTurns(200)
    for round in 0..<200 {
      let session = try await harness.openSession()
      let turn = try await session.say("x", requestID: "r")
      let takeover = Task { try await act(session, "session-escalated").status }
      for _ in 0..<round * 5 { await Task.yield() }
      takeover.cancel()
      _ = await takeover.result
      let isTaken =
        try await SessionStore(harness.database.storage().rows).session(session.id)?.status == StoredSession.escalated
      if !isTaken { #expect(try await harness.core.turns.cancel(turn)) }
      #expect(try await takeovers(in: session) == (isTaken ? 1 : 0))
    }
  }

  @Test func aTakeoverWithoutATurnStandsAlone() async throws {
    let session = try await Harness(settings: BackendSettings(compatibility: .compatible)).openSession(device: "d")
    var reader = try await session.stream()
    _ = try await act(session, "session-escalated")
    #expect(try await reader.nextEvent()?.type == "session_escalated")
    // As the public server: the next stream is refused, and the device's next session is another one.
    let answer = try await session.harness.call(.get, session.path("events"), token: session.token)
    #expect(answer.status == 410)
    #expect(try await session.harness.openSession(device: "d").id != session.id)
  }
}
