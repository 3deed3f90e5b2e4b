import ResolveKitUI
import SessionSupport
import StreamTransport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
@MainActor
struct RuntimeFeedbackTests {
  /// Answers each message, and asks for a rating of it.
  private static func server(immediate: Bool = false) -> ContractServer {
    ContractServer(onMessage: { server, turn, request, _ in
      server.streamAnswer(turn: turn, request: request, ["ok"])
      server.append(
        turn: turn, request: request, type: "feedback_requested", payload: ["immediate": .bool(immediate)])
    })
  }

  private func wait(
    in updates: ResolveKitRuntimeUpdates, until isOver: (ResolveKitRuntimeUpdate) -> Bool
  ) async {
    for await update in updates where isOver(update) { return }
    Issue.record("the updates ended before")
  }

  @Test func aRatingIsAskedForFifteenSecondsAfterTheAnswer() async throws {
    let clock = ManualClock()
    let server = Self.server()
    let conversation = Conversation(server: server, clock: TransportClock(clock))
    let runtime = conversation.runtime()
    let updates = runtime.updates()
    try await runtime.start()
    await runtime.sendMessage("hello")
    await clock.waitForSleep(of: .seconds(15))
    #expect(!runtime.pendingFeedbackRequest)
    clock.advance(by: .seconds(15))
    await wait(in: updates) { $0 == .feedback(isRequested: true) }
    #expect(await runtime.submitFeedback(rating: 9, comment: "good"))
    #expect(!runtime.pendingFeedbackRequest)
    #expect(server.bodies(of: "POST /v1/sessions/s1/feedback") == [["rating": 5, "comment": "good"]])
    await runtime.finish()
  }

  @Test func theNextMessageTakesTheRequestBack() async throws {
    let runtime = Conversation(server: Self.server(immediate: true)).runtime()
    let updates = runtime.updates()
    try await runtime.start()
    await runtime.sendMessage("one")
    await wait(in: updates) { $0 == .feedback(isRequested: true) }
    await runtime.sendMessage("two")
    await wait(in: updates) { $0 == .feedback(isRequested: false) }
    await wait(in: updates) { $0 == .feedback(isRequested: true) }
    runtime.dismissFeedbackRequest()
    #expect(!runtime.pendingFeedbackRequest)
    await wait(in: updates) { $0 == .feedback(isRequested: false) }
    await runtime.finish()
  }

  @Test(arguments: [409, 422, 404])
  func aRatingThatTheServerRefusesIsNotTaken(status: Int) async throws {
    let server = Self.server()
    let runtime = Conversation(server: server).runtime()
    try await runtime.start()
    server.answer("POST /v1/sessions/s1/feedback", with: [(status, #"{"detail":"so it is"}"#)])
    #expect(await !runtime.submitFeedback(rating: 3))
    #expect(runtime.executionLog.contains { $0.contains("so it is") })
    await runtime.finish()
  }

  @Test(
    arguments: [
      (#""2026-11-21T02:10:30.1Z""#, false), (#""2026-11-21T02:10:29Z""#, true), ("null", true),
    ])
  func anOperatorsRequestOfTheHistoryIsNotMadeAgain(takenUpAt: String, isNews: Bool) async throws {
    let server = ContractServer(onMessage: { server, turn, request, _ in
      server.streamAnswer(turn: turn, request: request, ["ok"])
    })
    server.append(turn: "o", request: "o", type: "feedback_requested", payload: ["immediate": true])
    let session = """
      {"id":"s1","chat_capability_token":"c","reused_active_session":true,"last_activity_at":\(takenUpAt)}
      """
    server.answer("POST /v1/sessions", with: [(201, session)])
    let updates = try await Conversation(server: server).updates(of: "hello")
    #expect(updates.finishedTurn?.text == "ok")
    #expect(updates.contains(.feedback(isRequested: true)) == isNews)
  }

  @Test func withoutASessionThereIsNothingToRate() async {
    let runtime = Conversation(server: Self.server()).runtime()
    #expect(await !runtime.submitFeedback(rating: 3))
  }

  /// The public server ends the stream of a session that a person has taken over, and still keeps the messages.
  @Test func aPersonsMessagesArriveAfterTheStreamOfTheSessionIsGone() async throws {
    let server = ContractServer(
      cuts: [.init(afterBytes: 700, isClean: true)],
      onMessage: { server, turn, request, _ in
        server.answer("GET /v1/sessions/s1/events", with: [(410, #"{"detail":"Session expired"}"#)])
        let said = #"[{"id":"m2","role":"human_agent","content":"Still there?"}]"#
        server.answer("GET /v1/sessions/s1/messages", with: [(503, ""), (200, "[]"), (200, said), (200, said)])
        let reason = String(repeating: "Ana helps. ", count: 30)
        server.append(turn: turn, request: request, type: "session_escalated", payload: ["reason": .string(reason)])
        server.append(turn: "o", request: "o", type: "human_message", payload: ["message_id": "m1", "text": "Hello"])
      })
    let runtime = Conversation(server: server).runtime()
    let updates = runtime.updates()
    try await runtime.start()
    await runtime.sendMessage("a person, please")
    var people: [String] = []
    for await case .message(let message) in updates where message.role == .humanAgent {
      people.append(message.text)
      break
    }
    #expect(people == ["Still there?"])
    #expect(server.bodies(of: "POST /v1/sessions").count == 1)
    // Who writes again gets a new session.
    await runtime.sendMessage("hello?")
    for await case .session in updates { break }
    #expect(server.bodies(of: "POST /v1/sessions").count == 2)
    await runtime.finish()
  }

  @Test func aPersonsMessageAndTheTakeoverArePublished() async throws {
    let server = ContractServer(onMessage: { server, turn, request, _ in
      server.append(
        turn: "other", request: "other", type: "human_message", payload: ["message_id": "m1", "text": "I am Ana."])
      server.append(turn: turn, request: request, type: "session_escalated", payload: ["reason": "Ana helps."])
    })
    let runtime = Conversation(server: server).runtime()
    let updates = runtime.updates()
    try await runtime.start()
    await runtime.sendMessage("a person, please")
    await wait(in: updates) { if case .turn = $0 { true } else { false } }
    await runtime.finish()
    #expect(runtime.isEscalated)
    #expect(runtime.escalationReason == "Ana helps.")
    #expect(runtime.messages.contains(ResolveKitChatMessage(id: "m1", role: .humanAgent, text: "I am Ana.")))
    #expect(!runtime.isTurnInProgress)
  }
}
