import HTTPTypes
import ReferenceBackend
import ResolveKitCore
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct TurnTests {
  @Test func aTurnStreamsItsTextAndEnds() async throws {
    let words = ["Grüße ", "an ", "“alle”", "\n", "👋🏽"]
    let harness = try await Harness(model: ScriptedModel(words: words))
    let session = try await harness.openSession()
    let turnID = try await session.say("hello", requestID: "r1")
    let events = try await session.eventsOfTurn()
    #expect(events.map(\.type) == Array(repeating: "assistant_text_delta", count: 5) + ["turn_complete"])
    #expect(events.allSatisfy { $0.turnID == turnID && $0.requestID == "r1" })
    var text = ""
    for event in events.dropLast() {
      text += try #require(event.payload["delta"]?.stringValue)
      #expect(event.payload["accumulated"]?.stringValue == text)
    }
    #expect(events.last?.payload["full_text"]?.stringValue == text)
    #expect(text == words.joined())
    let history = try await session.history()
    #expect(history.map(\.role) == ["assistant", "user", "assistant"])
    #expect(history.last?.content == text)
  }

  @Test func theDemonstratorRunsATool() async throws {
    let harness = try await Harness()
    try await harness.register([["name": "get_local_time", "description": "Tells the local time"]])
    let session = try await harness.openSession(tools: ["get_local_time"])
    let turnID = try await session.say("What time is it?", requestID: "r1")
    var reader = try await session.stream()
    var events: [TestEvent] = []
    while let event = try await reader.nextEvent() {
      events.append(event)
      if event.type == "tool_call_request" {
        let call = try #require(event.payload["call_id"]?.stringValue)
        #expect(event.payload["function_name"] == "get_local_time")
        #expect(event.payload["human_description"] == "Tells the local time")
        #expect(event.payload["requires_approval"] == true)
        #expect(event.payload["timeout_seconds"] == 30)
        let answer = try await session.sendResult("12:34:56", turn: turnID, call: call, key: "k")
        #expect(answer.status == 200)
        #expect(answer.json == ["status": "ok", "deduplicated": false])
      }
      if event.isTerminal { break }
    }
    #expect(events.filter { $0.type == "tool_call_request" }.count == 1)
    let text = try #require(events.last?.payload["full_text"]?.stringValue)
    #expect(text.contains("12:34:56"))
    #expect(text.contains("no language model"))
    #expect(text == events.text)
  }

  @Test func resultsAreTakenOnceAndNeverLate() async throws {
    let clock = SteppedClock()
    let conversations = Mutex<[ModelConversation]>([])
    let model = ScriptedModel([
      { _, output in
        try await output(
          .toolCalls([
            ModelToolCall(id: "a", name: "tool", arguments: [:]), ModelToolCall(id: "b", name: "tool", arguments: [:]),
            ModelToolCall(id: "", name: "unknown", arguments: [:]),
          ]))
      },
      { conversation, output in
        conversations.withLock { $0.append(conversation) }
        try await output(.text("done"))
      },
    ])
    let harness = try await Harness(model: model, clock: clock)
    try await harness.register([["name": "tool", "timeout_seconds": 5]])
    let session = try await harness.openSession(tools: ["tool"])
    var reader = try await session.stream()
    let turn = try await session.say("x", requestID: "r")
    #expect(try await reader.nextEvent()?.payload["call_id"] == "a")
    #expect(try await reader.nextEvent()?.payload["call_id"] == "b")

    // The second call's result may come first; the first one's time runs.
    #expect(try await session.sendResult(["n": 1], turn: turn, call: "b", key: "kb").status == 200)
    let again = try await session.sendResult(["n": 1], turn: turn, call: "b", key: "kb")
    #expect(again.json == ["status": "ok", "deduplicated": true])
    #expect(try await session.sendResult(["n": 2], turn: turn, call: "b", key: "other").status == 404)
    #expect(try await session.sendResult("x", turn: "another turn", call: "a", key: "ka").status == 404)
    await clock.waitForSleeper(until: .seconds(5))
    clock.advance(by: .seconds(5))
    #expect(try await reader.nextEvent()?.payload["delta"] == "done")
    for _ in 0..<2 {
      let late = try await session.sendResult("late", turn: turn, call: "a", key: "ka")
      #expect(late.status == 404)
      #expect(late.json.objectValue?["detail"] == "No pending tool call with this ID")
    }
    let results = try #require(conversations.withLock { $0.first }).messages.suffix(3)
    #expect(
      Array(results) == [
        .toolResult(callID: "a", name: "tool", content: #"{"error":"Function 'tool' timed out after 5s"}"#),
        .toolResult(callID: "b", name: "tool", content: #"{"n":1}"#),
        .toolResult(callID: "call_3", name: "unknown", content: #"{"error":"There is no function named 'unknown'."}"#),
      ])
    await harness.core.turns.waitUntilIdle()
    // What was accepted is remembered beyond the turn.
    let repeated = try await session.sendResult(["n": 1], turn: turn, call: "b", key: "kb")
    #expect(repeated.json == ["status": "ok", "deduplicated": true])
  }

  @Test func aFailedToolIsReportedToTheModel() async throws {
    let model = ScriptedModel([
      { _, output in try await output(.toolCalls([ModelToolCall(id: "a", name: "tool", arguments: [:])])) },
      { conversation, output in
        guard case .toolResult(_, _, let content) = conversation.messages.last else { return }
        try await output(.text(content))
      },
    ])
    let harness = try await Harness(model: model)
    try await harness.register([["name": "tool"]])
    let session = try await harness.openSession(tools: ["tool"])
    var reader = try await session.stream()
    let turn = try await session.say("x", requestID: "r")
    _ = try await reader.nextEvent()
    _ = try await session.sendResult(.null, turn: turn, call: "a", key: "k", status: "error", error: "denied")
    #expect(try await reader.nextEvent()?.payload["delta"] == #"{"error":"denied"}"#)
  }

  @Test func resultsBeyondTheTurnsRoomAreLeftOut() async throws {
    let model = ScriptedModel([
      { _, output in
        try await output(.toolCalls(["a", "b", "c"].map { ModelToolCall(id: $0, name: "tool", arguments: [:]) }))
      },
      { conversation, output in
        for case .toolResult(let id, _, let content) in conversation.messages {
          try await output(.text("\(id):\(content.prefix(26)) "))
        }
      },
    ])
    let harness = try await Harness(model: model, settings: BackendSettings(turns: TurnLimits(resultBytes: 100)))
    try await harness.register([["name": "tool"]])
    let session = try await harness.openSession(tools: ["tool"])
    let turn = try await session.say("x", requestID: "r")
    var reader = try await session.stream()
    for _ in 0..<3 { _ = try await reader.nextEvent() }
    for (call, count) in [("a", 60), ("b", 60), ("c", 40)] {
      let text = String(repeating: call, count: count)
      #expect(try await session.sendResult(.string(text), turn: turn, call: call, key: "k").status == 200)
    }
    let (a, c) = (String(repeating: "a", count: 26), String(repeating: "c", count: 26))
    let end = try await session.eventsOfTurn().last
    #expect(end?.payload["full_text"]?.stringValue == "a:\(a) b:{\"error\":\"The result has 6 c:\(c) ")
  }

  @Test func oneTurnAtATimeAndOneTurnPerRequest() async throws {
    let gate = Gate()
    let model = ScriptedModel([
      { _, output in
        try await output(.text("a"))
        await gate.wait()
      }, { _, output in try await output(.text("b")) },
    ])
    let harness = try await Harness(model: model)
    let session = try await harness.openSession()
    let other = try await harness.openSession()
    let turn = try await session.say("one", requestID: "r1")
    #expect(try await session.say("one", requestID: "r1") == turn)
    let conflict = try await session.post("two", requestID: "r2")
    #expect(conflict.status == 409)
    #expect(conflict.json.objectValue?["detail"] == "A turn is already in progress")
    #expect(try await other.post("elsewhere", requestID: "r1").status == 202)
    gate.open()
    let events = try await session.eventsOfTurn()
    #expect(events.last?.type == "turn_complete")
    // A client that has seen the end may continue at once.
    #expect(try await session.post("two", requestID: "r2").status == 202)
    await harness.core.turns.waitUntilIdle()
    #expect(try await session.say("one", requestID: "r1") == turn)
  }

  @Test func aTurnCanBeStopped() async throws {
    let never = Gate()
    let model = ScriptedModel([
      { _, output in
        try await output(.text("half"))
        try await withTaskCancellationHandler {
          await never.wait()
          try Task.checkCancellation()
        } onCancel: {
          never.open()
        }
      }
    ])
    let harness = try await Harness(model: model)
    let session = try await harness.openSession()
    var reader = try await session.stream()
    let turn = try await session.say("x", requestID: "r")
    #expect(try await reader.nextEvent()?.payload["delta"] == "half")
    let path = session.path("turns/\(turn)/cancel")
    let stopped = try await harness.call(.post, path, token: session.token)
    #expect(stopped.status == 202)
    let end = try await reader.nextEvent()
    #expect(end?.type == "error")
    #expect(end?.payload["code"] == "cancelled")
    await harness.core.turns.waitUntilIdle()
    let again = try await harness.call(.post, path, token: session.token)
    #expect(again.status == 200)
    #expect(again.json.objectValue?["status"] == "cancelled")
    #expect(try await session.history().last?.content == "half")
    let unknown = session.path("turns/00000000-0000-4000-8000-000000000000/cancel")
    #expect(try await harness.call(.post, unknown, token: session.token).status == 404)
  }

  @Test func failuresEndTheTurnAndAreRecoverable() async throws {
    let refused = ModelError(.refused, "secret details")
    let cases: [(ScriptedModel, String)] = [
      (ScriptedModel([{ _, _ in throw refused }]), "chat_unavailable"), (ScriptedModel([]), "llm_error"),
      (ScriptedModel(words: [String(repeating: "x", count: 101)]), "answer_too_long"),
      (
        ScriptedModel(
          Array(
            repeating: { _, output in
              try await output(.toolCalls([ModelToolCall(id: "a", name: "none", arguments: [:])]))
            }, count: 5)), "tool_rounds_exceeded"
      ),
    ]
    for (model, code) in cases {
      let limits = TurnLimits(toolRounds: 3, answerBytes: 100)
      let harness = try await Harness(model: model, settings: BackendSettings(turns: limits), operatorKey: nil)
      let session = try await harness.openSession()
      try await session.say("x", requestID: "r")
      let end = try await session.eventsOfTurn().last
      #expect(end?.payload["code"]?.stringValue == code)
      #expect(end?.payload["recoverable"] == true)
      #expect(end?.payload["message"]?.stringValue?.contains("secret") == false)
      #expect(try await session.post("y", requestID: "r2").status == 202)
    }
  }
  @Test func aModelsErrorIsExplainedWhereTheSettingsSaySo() async throws {
    let refused = ModelError(.refused, "It does not accept the key.")
    let harness = try await Harness(
      model: ScriptedModel([{ _, _ in throw refused }]), settings: BackendSettings(explainsModelErrors: true))
    let session = try await harness.openSession()
    try await session.say("x", requestID: "r")
    let end = try await session.eventsOfTurn().last
    #expect(end?.payload["code"] == "chat_unavailable" && end?.payload["message"] == "It does not accept the key.")
  }
}
