import ReferenceBackend
import ResolveKitCore
import Synchronization
import Testing

/// The model hands a session over to a person.
@Suite(.timeLimit(.minutes(10)))
struct EscalationTests {
  private static func call(_ arguments: JSONObject) -> ScriptedModel.Step {
    { _, output in
      try await output(.text("One moment."))
      try await output(
        .toolCalls([
          ModelToolCall(id: "a", name: "tool", arguments: [:]),
          ModelToolCall(id: "b", name: "escalate_to_human", arguments: arguments),
        ]))
    }
  }

  @Test func itEndsTheTurnAndTheSessionTakesNoMoreMessages() async throws {
    let harness = try await Harness(model: ScriptedModel([Self.call(["reason": "Wants a refund."])]))
    try await harness.register([["name": "tool"], ["name": "escalate_to_human", "description": "not ours"]])
    let session = try await harness.openSession(tools: ["tool", "escalate_to_human"], device: "d")
    let turn = try await session.say("x", requestID: "r")
    let events = try await session.eventsOfTurn()
    // No call of the round is asked for, and no `turn_complete` comes.
    #expect(events.map(\.type) == ["assistant_text_delta", "session_escalated"])
    #expect(events.last?.payload == ["reason": "Wants a refund."])
    #expect(events.last?.turnID == turn)
    await harness.core.turns.waitUntilIdle()
    #expect(try await session.post("y", requestID: "r2").status == 410)
    #expect(try await session.history().last?.content == "One moment.")
    // The stream continues, for the person's messages; a new session is another one.
    _ = try await session.stream()
    #expect(try await harness.openSession(device: "d").isReused == false)
  }

  @Test(arguments: [[:], ["reason": ""], ["reason": 7]] as [JSONObject])
  func aReasonIsAlwaysGiven(_ arguments: JSONObject) async throws {
    let session = try await Harness(model: ScriptedModel([Self.call(arguments)])).openSession()
    try await session.say("x", requestID: "r")
    #expect(try await session.eventsOfTurn().last?.payload == ["reason": "The assistant asks for a person."])
  }

  @Test func callsWithoutEndAreHandedOverToo() async throws {
    let step: ScriptedModel.Step = { _, output in
      try await output(.toolCalls([ModelToolCall(id: "a", name: "none", arguments: [:])]))
    }
    let session = try await Harness(
      model: ScriptedModel([step, step]), settings: BackendSettings(turns: TurnLimits(toolRounds: 2))
    ).openSession()
    try await session.say("x", requestID: "r")
    let end = try await session.eventsOfTurn().last
    #expect(end?.type == "session_escalated")
    #expect(end?.payload == ["reason": "Maximum tool calling rounds exceeded"])
  }

  /// A model has no such tool where nobody could take over.
  @Test func itIsOfferedWhereThereIsSomebody() async throws {
    let offered = Mutex<[[String]]>([])
    for (key, compatibility) in [("ok", ContractCompatibility.strict), (nil, .strict), (nil, .compatible)] {
      let model = ScriptedModel([
        { conversation, output in
          offered.withLock { $0.append(conversation.tools.map(\.name)) }
          try await output(.text("ok"))
        }
      ])
      let session = try await Harness(
        model: model, settings: BackendSettings(compatibility: compatibility), operatorKey: key
      ).openSession()
      try await session.say("x", requestID: "r")
      _ = try await session.eventsOfTurn()
    }
    #expect(offered.withLock { $0 } == [["escalate_to_human"], [], ["escalate_to_human"]])
  }

  @Test func theDemonstratorKnowsWhenAPersonIsWanted() async throws {
    let session = try await Harness().openSession()
    try await session.say("I want to talk to a person.", requestID: "r")
    let events = try await session.eventsOfTurn()
    #expect(events.last?.type == "session_escalated")
    #expect(events.last?.payload["reason"] == "I want to talk to a person.")
  }
}
