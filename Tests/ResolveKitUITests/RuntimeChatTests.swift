import ResolveKitUI
import SessionSupport
import Synchronization
import Testing

/// The chat's words, colours and context.
@Suite(.timeLimit(.minutes(10)))
@MainActor
struct RuntimeChatTests {
  private static let german =
    #"{"locale":"de","chat_title":"Hilfe","message_placeholder":"Nachricht","initial_message":"Hallo!"}"#

  private static func answering() -> ContractServer {
    ContractServer(onMessage: { server, turn, request, _ in
      server.streamAnswer(turn: turn, request: request, ["ok"])
    })
  }

  private func send(_ text: String, to runtime: ResolveKitRuntime) async {
    let updates = runtime.updates()
    await runtime.sendMessage(text)
    for await case .turn in updates { return }
  }

  @Test func aSessionsWordsAreShownAndItsGreetingOpensTheTranscript() async throws {
    let server = ContractServer()
    server.setSessionFields(
      #","locale":"de","chat_title":"Hilfe","message_placeholder":"Nachricht","initial_message":"Hallo!""#)
    let runtime = Conversation(server: server, configure: { $0.localeProvider = { "de-AT" } }).runtime()
    #expect(runtime.currentLocale == "de")
    #expect(runtime.chatTitle == "Support Chat")
    #expect(runtime.messagePlaceholder == "Message")
    try await runtime.start()
    await runtime.finish()
    #expect(runtime.chatTitle == "Hilfe")
    #expect(runtime.messagePlaceholder == "Nachricht")
    #expect(runtime.messages.map(\.text) == ["Hallo!"])
    #expect(server.bodies(of: "POST /v1/sessions").first?.objectValue?["locale"] == "de")
  }

  @Test func anotherLocaleBringsItsWordsAndIsSentWithMessages() async throws {
    let server = Self.answering()
    server.setSessionFields(
      #","locale":"en","chat_title":"Support Chat","message_placeholder":"Message","initial_message":null"#)
    let runtime = Conversation(server: server, configure: { $0.localeProvider = { "en" } }).runtime()
    try await runtime.start()
    server.answer("GET /v1/sessions/s1/localization", with: [(200, Self.german)])
    await runtime.setLocale("de_DE")
    #expect(runtime.currentLocale == "de")
    await send("hello", to: runtime)
    await runtime.finish()
    #expect(runtime.chatTitle == "Hilfe")
    #expect(runtime.messages.map(\.role) == [.user, .assistant], "a session greets once")
    #expect(server.bodies(of: "POST /v1/sessions/s1/messages").first?.objectValue?["locale"] == "de")
    #expect(server.received.contains { $0.path == "/v1/sessions/s1/localization?locale=de" })
    #expect(server.bodies(of: "PATCH /v1/sessions/s1/context").isEmpty, "the server knows the locale already")
  }

  @Test func aServerWithoutWordsLeavesThoseThatAreShown() async throws {
    let runtime = Conversation(server: ContractServer()).runtime()
    try await runtime.start()
    await runtime.setLocale("lt")
    await runtime.finish()
    #expect(runtime.currentLocale == "lt")
    #expect(runtime.chatTitle == "Support Chat")
    #expect(runtime.executionLog.contains { $0.contains("texts in lt") })
  }

  @Test(arguments: [
    (200, #"{"light":{},"dark":{}}"#), (404, #"{"detail":"Not Found"}"#), (500, ""), (422, #"{"detail":"bad"}"#),
  ])
  func noThemeIsNoTrouble(status: Int, body: String) async throws {
    let server = Self.answering()
    server.answer("GET /v1/sdk/chat-theme", with: [(status, body)])
    let runtime = Conversation(server: server).runtime()
    try await runtime.start()
    await send("hello", to: runtime)
    #expect(runtime.chatTheme == .default)
    #expect(runtime.connectionState.canSend)
    await runtime.finish()
  }

  @Test func theServersColoursAreShown() async throws {
    let server = ContractServer()
    let names = ResolveKitChatTheme.default.light.colors.map(\.name)
    let palette = JSONValue.object(Dictionary(names.map { ($0, "#01020380") }, uniquingKeysWith: { $1 }))
    server.answer(
      "GET /v1/sdk/chat-theme", with: [(200, JSONValue.object(["light": palette, "dark": palette]).jsonText)])
    let runtime = Conversation(server: server).runtime()
    let updates = runtime.updates()
    try await runtime.start()
    for await case .themed in updates { break }
    await runtime.finish()
    #expect(runtime.chatTheme.light.colors.allSatisfy { $0.value == "#01020380" })
    #expect(runtime.chatTheme.dark == runtime.chatTheme.light)
  }

  @Test func appearanceIsTheAppsToSay() {
    let runtime = Conversation(server: ContractServer()).runtime()
    #expect(runtime.appearanceMode == .system)
    runtime.setAppearance(.dark)
    #expect(runtime.appearanceMode == .dark)
  }

  @Test(
    arguments: [([], []), (["unknown"], []), (["throws", "unknown", "count"], ["count", "throws"])]
      as [([String], [String])])
  func anAllowListIsTakenLiterally(wanted: [String], allowed: [String]) async throws {
    let server = ContractServer()
    let conversation = Conversation(server: server, configure: { $0.availableFunctionNamesProvider = { wanted } })
    let runtime = conversation.runtime()
    try await runtime.start()
    await runtime.finish()
    let names = server.bodies(of: "POST /v1/sessions").first?.objectValue?["available_function_names"]
    #expect(names == .array(allowed.map { .string($0) }))
  }

  @Test func theContextIsSentAgainWhereItHasChanged() async throws {
    let battery = Mutex(90.0)
    let context: @Sendable () -> JSONObject = { ["battery": .number(battery.withLock { $0 })] }
    let server = Self.answering()
    let runtime = Conversation(server: server, configure: { $0.llmContextProvider = context }).runtime()
    try await runtime.start()
    await send("one", to: runtime)
    #expect(server.bodies(of: "PATCH /v1/sessions/s1/context").isEmpty)
    battery.withLock { $0 = 80 }
    await send("two", to: runtime)
    await send("three", to: runtime)
    let sent = server.bodies(of: "PATCH /v1/sessions/s1/context").map { $0.objectValue?["llm_context"] }
    #expect(sent == [["battery": 80]])
    try await runtime.refreshSessionContext()
    #expect(server.bodies(of: "PATCH /v1/sessions/s1/context").count == 2)
    await runtime.finish()
  }
}
