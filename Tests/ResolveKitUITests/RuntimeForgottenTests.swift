import ResolveKitUI
import SessionSupport
import Testing

/// A session that the server has forgotten.
@Suite(.timeLimit(.minutes(10)))
@MainActor
struct RuntimeForgottenTests {
  private static func answering() -> ContractServer {
    ContractServer(onMessage: { server, turn, request, text in
      server.streamAnswer(turn: turn, request: request, ["answer to ", text])
    })
  }

  /// The server answers the stream's next attempt with 410, and has another session for the client.
  private func forget(_ server: ContractServer) async {
    server.answer("GET /v1/sessions/s1/events", with: [(410, #"{"detail":"Session expired"}"#)])
    server.answer("POST /v1/sessions", with: [(201, ContractServer.session("s2"))])
    await server.close()
  }

  @Test func itIsReportedBeforeTheNewSessionAndWhatWasSaidCanBeSentAlong() async throws {
    let server = Self.answering()
    let runtime = Conversation(server: server, configure: { $0.llmContextProvider = { ["app": "test"] } }).runtime()
    let updates = runtime.updates()
    try await runtime.start()
    #expect(try await runtime.recallForgottenMessages() == 0)
    _ = try await runtime.respond(to: "one")
    await forget(server)
    var forgotten: String?
    for await update in updates {
      if case .forgotten(let id) = update { forgotten = id }
      if case .session("s2", _) = update { break }
    }
    #expect(forgotten == "s1")
    server.answer("PATCH /v1/sessions/s2/context", with: [(200, "{}")])
    #expect(try await runtime.recallForgottenMessages() == 2)
    await runtime.finish()
    let context = server.bodies(of: "PATCH /v1/sessions/s2/context").first?.objectValue?["llm_context"]
    #expect(
      context == [
        "app": "test",
        "earlier_conversation": [
          ["role": "user", "text": "one"], ["role": "assistant", "text": "answer to one"],
        ],
      ])
  }

  @Test func aNewConversationForgetsOnPurpose() async throws {
    let server = Self.answering()
    let runtime = Conversation(server: server).runtime()
    let updates = runtime.updates()
    try await runtime.start()
    _ = try await runtime.respond(to: "one")
    server.answer("POST /v1/sessions", with: [(201, ContractServer.session("s2"))])
    await runtime.reloadWithNewSession()
    #expect(try await runtime.recallForgottenMessages() == 0)
    await runtime.finish()
    var isTold = false
    for await case .forgotten in updates { isTold = true }
    #expect(!isTold)
    #expect(server.bodies(of: "POST /v1/sessions").last?.objectValue?["reuse_active_session"] == false)
  }
}
