import ResolveKitUI
import SessionSupport
import TestSupport
import Testing

/// A message and its answer in one call, and properties that are current after each call.
@Suite(.timeLimit(.minutes(10)))
@MainActor
struct RuntimeRespondTests {
  private static func answering() -> ContractServer {
    ContractServer(onMessage: { server, turn, request, text in
      server.streamAnswer(turn: turn, request: request, ["answer to ", text])
    })
  }

  @Test func anAnswerIsReturnedWholeAndShown() async throws {
    let runtime = Conversation(server: Self.answering()).runtime()
    try await runtime.start()
    for word in ["one", "two"] {
      let turn = try await runtime.respond(to: word)
      #expect(turn.status == .complete && turn.text == "answer to \(word)")
      #expect(runtime.messages.last?.text == "answer to \(word)")
      #expect(!runtime.isTurnInProgress)
    }
    await runtime.finish()
  }

  @Test func propertiesAreCurrentOnceACallReturns() async throws {
    let server = ContractServer()
    server.setSessionFields(
      #","locale":"de","chat_title":"Hilfe","message_placeholder":"Nachricht","initial_message":"Hallo!""#)
    let runtime = Conversation(server: server).runtime()
    try await runtime.start()
    #expect(runtime.connectionState == .active && runtime.chatTitle == "Hilfe")
    #expect(runtime.messages.map(\.text) == ["Hallo!"])
    await runtime.sendMessage("hello")
    #expect(runtime.isTurnInProgress && runtime.messages.last?.text == "hello")
    await runtime.cancelTurn()
    #expect(!runtime.isTurnInProgress)
    await runtime.stop()
    #expect(runtime.connectionState == .idle)
    await runtime.finish()
  }

  @Test func whileATurnIsInProgressAMessageIsRefused() async throws {
    let runtime = Conversation(server: ContractServer()).runtime()
    #expect(await runtime.send("early") == .refused(.notConnected))
    try await runtime.start()
    guard case .taken = await runtime.send("first") else {
      Issue.record("the first message was not taken")
      return
    }
    #expect(await runtime.send("second") == .refused(.turnInProgress))
    #expect(runtime.executionLog.contains { $0.contains("a turn is in progress") })
    #expect(runtime.messages.map(\.text) == ["first"])
    let error = await #expect(throws: ResolveKitTurnError.self) { try await runtime.respond(to: "third") }
    #expect(error?.code == .busy)
    await runtime.finish()
  }

  @Test func messagesThatNoServerTakesAreRefused() async throws {
    let runtime = Conversation(server: Self.answering()).runtime()
    let early = await #expect(throws: ResolveKitTurnError.self) { try await runtime.respond(to: "early") }
    #expect(early?.code == .notConnected)
    try await runtime.start()
    for text in ["", String(repeating: "x", count: 32_769)] {
      let error = await #expect(throws: ResolveKitTurnError.self) { try await runtime.respond(to: text) }
      #expect(error?.code == .invalidMessage)
    }
    #expect(try await runtime.respond(to: "hello").text == "answer to hello")
    await runtime.finish()
  }

  @Test func aTurnThatFailsThrowsWithWhatCameOfIt() async throws {
    let server = ContractServer(onMessage: { server, turn, request, _ in
      server.append(
        turn: turn, request: request, type: "assistant_text_delta", payload: ["delta": "half", "accumulated": "half"])
      server.append(
        turn: turn, request: request, type: "error",
        payload: ["code": "llm_error", "message": "The model is away.", "recoverable": true])
    })
    let runtime = Conversation(server: server).runtime()
    try await runtime.start()
    let error = await #expect(throws: ResolveKitTurnError.self) { try await runtime.respond(to: "hello") }
    #expect(error?.code == .failed && error?.turn?.text == "half")
    #expect(error?.message.contains("The model is away.") == true)
    await runtime.finish()
  }

  @Test func aKeyThatIsRevokedInATurnBlocks() async throws {
    let server = ContractServer()
    let refusal = Array(repeating: (401, #"{"detail":"Invalid client token"}"#), count: 2)
    let runtime = Conversation(server: server).runtime()
    try await runtime.start()
    server.answer("POST /v1/sessions/s1/messages", with: refusal)
    server.answer("POST /v1/sessions", with: refusal)
    let error = await #expect(throws: ResolveKitTurnError.self) { try await runtime.respond(to: "hello") }
    #expect(error?.code == .blocked)
    let next = await #expect(throws: ResolveKitTurnError.self) { try await runtime.respond(to: "again") }
    #expect(next?.code == .blocked)
    await runtime.finish()
  }

  @Test func whoIsCancelledStopsTheTurn() async throws {
    let runtime = Conversation(server: ContractServer()).runtime()
    let updates = runtime.updates()
    try await runtime.start()
    let answer = Task { try await runtime.respond(to: "hello") }
    for await case .turnStarted in updates { break }
    answer.cancel()
    await #expect(throws: CancellationError.self) { try await answer.value }
    #expect(!runtime.isTurnInProgress)
    await runtime.finish()
  }

  @Test func whoCancelsTheTurnEndsTheWait() async throws {
    let runtime = Conversation(server: ContractServer()).runtime()
    let updates = runtime.updates()
    try await runtime.start()
    let answer = Task { try await runtime.respond(to: "hello") }
    for await case .turnStarted in updates { break }
    await runtime.cancelTurn()
    let error = await #expect(throws: ResolveKitTurnError.self) { try await answer.value }
    #expect(error?.code == .cancelled)
    await runtime.finish()
  }

  @Test func withoutAKeyTheConnectionIsBlockedOfflineToo() async {
    let server = ContractServer()
    server.setOffline(true)
    let runtime = Conversation(server: server, apiKey: "").runtime()
    let error = await #expect(throws: ResolveKitStartError.self) { try await runtime.start() }
    #expect(error?.isBlocked == true)
    #expect(runtime.connectionState == .blocked && runtime.lastError?.contains("No API key") == true)
    await runtime.finish()
  }

  @Test func aRuntimeThatWasFinishedSaysSo() async throws {
    let runtime = Conversation(server: Self.answering()).runtime()
    try await runtime.start()
    await runtime.finish()
    let error = await #expect(throws: ResolveKitStartError.self) { try await runtime.start() }
    #expect(error?.message.contains("finished") == true)
    #expect(runtime.connectionState == .idle)
    #expect(await runtime.send("hello") == .refused(.notConnected))
  }

  /// The old turn streams on while the new session is made: nothing of it is in the new transcript.
  @Test func aReloadWhileAnAnswerStreamsBeginsAnEmptyTranscript() async throws {
    let server = ContractServer(onMessage: { server, turn, request, text in
      guard text == "old" else { return server.streamAnswer(turn: turn, request: request, ["new answer"]) }
      for count in 1...50 {
        let words = Array(repeating: "word ", count: count).joined()
        server.append(
          turn: turn, request: request, type: "assistant_text_delta",
          payload: ["delta": "word ", "accumulated": .string(words)])
      }
    })
    let runtime = Conversation(server: server).runtime()
    let updates = runtime.updates()
    try await runtime.start()
    await runtime.sendMessage("old")
    for await case .text in updates { break }
    await runtime.reloadWithNewSession()
    #expect(runtime.messages.isEmpty && !runtime.isTurnInProgress)
    #expect(runtime.connectionState.canSend)
    #expect(try await runtime.respond(to: "new").text == "new answer")
    #expect(runtime.messages.map(\.text) == ["new", "new answer"])
    await runtime.finish()
  }

  @Test func theAppsVersionsAreSentAsConfigured() async throws {
    let server = ContractServer()
    let runtime = Conversation(
      server: server,
      configure: {
        $0.appVersion = "2.3.4"
        $0.appBuild = "871"
        $0.availability = [
          "count": ResolveKitAvailability(minOSVersion: "6.1", minAppVersion: "2.0", maxAppVersion: "2.9"),
          "nobody": ResolveKitAvailability(minAppVersion: "1"),
        ]
      }
    ).runtime()
    try await runtime.start()
    #expect(runtime.executionLog.contains { $0.contains("'nobody' has no effect") })
    await runtime.finish()
    let client = server.bodies(of: "POST /v1/sessions").first?.objectValue?["client"]?.objectValue
    #expect(client?["app_version"] == "2.3.4" && client?["app_build"] == "871")
    let functions = server.bodies(of: "PUT /v1/functions/bulk").first?.objectValue?["functions"]?.arrayValue
    let count = functions?.compactMap(\.objectValue).first { $0["name"] == "count" }
    #expect(
      count?["availability"]
        == ["min_os_version": "6.1", "min_app_version": "2.0", "max_app_version": "2.9"])
  }
}
