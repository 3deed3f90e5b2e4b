import Foundation
import ResolveKitCore
import SessionSupport
import Testing

@testable import ResolveKitTerminal

@Suite(.timeLimit(.minutes(10)))
@MainActor
struct TerminalViewTests {
  /// Answers each message with its own words.
  private static func echo() -> ContractServer {
    ContractServer(onMessage: { server, turn, request, text in
      server.append(
        turn: turn, request: request, type: "turn_complete", payload: ["full_text": .string("echo: \(text)")])
    })
  }

  private func talk(
    _ lines: [String], with server: ContractServer = echo(), commands: [ResolveKitTerminalCommand] = [],
    message: String? = nil, configure: @escaping @Sendable (inout ResolveKitConfiguration) -> Void = { _ in }
  ) async -> (ending: ResolveKitTerminalEnding, input: ScriptedInput) {
    let input = ScriptedInput(lines)
    let view = ResolveKitTerminalView(
      runtime: Conversation(server: server, configure: configure).runtime(),
      configuration: ResolveKitTerminalConfiguration(commands: commands, environment: [:]),
      renderer: TerminalRenderer(style: .plain, statusStyle: .plain), input: input)
    return (await view.run(message: message), input)
  }

  @Test func aConversationIsTurnAfterTurnUntilTheEndOfTheInput() async {
    let (ending, input) = await talk(["one", "  ", "two"])
    #expect(ending == .done)
    #expect(input.output.contains("echo: one\n") && input.output.contains("echo: two\n"))
    #expect(input.prompts.map(\.text) == ["> ", "> ", "> ", "> "])
    #expect(input.remembered == ["one", "two"])
  }

  @Test func theServersTitleAndPlaceholderAreShown() async {
    let server = Self.echo()
    server.setSessionFields(
      #","locale":"de","chat_title":"Hilfe\u001b","message_placeholder":"Nachricht","initial_message":null"#)
    let (_, input) = await talk(["one"], with: server)
    #expect(input.output.hasPrefix("[") || input.output.hasPrefix("Hilfe\n"))
    #expect(input.output.components(separatedBy: "Hilfe\n").count == 2)
    #expect(input.prompts.map(\.text) == ["Nachricht> ", "Nachricht> "])
  }

  @Test func aNewConversationIsBegunByACommand() async {
    let server = Self.echo()
    let (ending, input) = await talk(["one", "/new", "two", "/export"], with: server)
    #expect(ending == .done)
    #expect(input.output.contains("[a new conversation]") && input.output.contains("echo: two\n"))
    #expect(server.bodies(of: "POST /v1/sessions").count == 2)
    let reuse = server.bodies(of: "POST /v1/sessions").map { $0.objectValue?["reuse_active_session"] }
    #expect(reuse.last == false)
  }

  @Test func aSecondRatingIsReportedToBeRefused() async {
    let server = Self.echo()
    server.answer(
      "POST /v1/sessions/s1/feedback",
      with: [(201, "{}"), (409, #"{"detail":"Feedback already submitted for this session"}"#)])
    let (_, input) = await talk(["/feedback 5 good", "/feedback 1"], with: server)
    #expect(input.output.components(separatedBy: "[thank you]").count == 2)
    #expect(input.output.contains("[feedback was not taken") && input.output.contains("already submitted"))
  }

  @Test func noSecretOfTheAddressIsShown() async {
    let (_, input) = await talk(["/status"]) { configuration in
      configuration.baseURL = URL(string: "https://ann:sesame@agent.test?key=hidden") ?? configuration.baseURL
    }
    #expect(input.output.contains("  https://agent.test at "))
    #expect(!input.output.contains("sesame") && !input.output.contains("hidden") && !input.output.contains("ann"))
  }

  @Test func aKeyThatIsRevokedDuringTheOneTurnIsBlocked() async {
    let server = Self.echo()
    let refusal = Array(repeating: (401, #"{"detail":"Invalid client token"}"#), count: 2)
    server.answer("POST /v1/sessions/s1/messages", with: refusal)
    server.answer("POST /v1/sessions", with: [(201, ContractServer.session("s1"))] + refusal)
    let (ending, input) = await talk([], with: server, message: "hello")
    #expect(ending == .blocked)
    #expect(input.output.contains("The server refused the API key: Invalid client token (401). Check that the API key"))
  }

  @Test func oneMessageIsOneAnswer() async {
    let (ending, input) = await talk([], message: "only")
    #expect(ending == .done)
    #expect(input.output.contains("echo: only\n"))
    #expect(input.prompts == [])
  }

  @Test func aBackslashContinuesInTheNextLine() async {
    let (_, input) = await talk(["one\\", "two", "/quit"])
    #expect(input.output.contains("echo: one\ntwo\n"))
    #expect(input.prompts.map(\.text) == ["> ", "… ", "> "])
  }

  @Test func aQuestionBetweenTwoLinesTakesNothingOfAMessageAway() async {
    let (_, input) = await talk(["one\\", "^overtaken", "two", "/quit"])
    #expect(input.output.contains("echo: one\ntwo\n"))
    #expect(input.prompts.map(\.text) == ["> ", "… ", "… ", "> "])
  }

  @Test func ctrlCDropsTheLinesBefore() async {
    let (_, input) = await talk(["one\\", "half^C", "two", "/quit"])
    #expect(input.output.contains("echo: two\n") && !input.output.contains("echo: one"))
  }

  @Test func anUnknownCommandIsNotSent() async {
    let server = Self.echo()
    let (ending, input) = await talk(["/nonsense now", " /etc is a folder", "/quit"], with: server)
    #expect(ending == .done)
    #expect(input.output.contains("there is no command /nonsense"))
    #expect(input.output.contains("echo: /etc is a folder"))
    #expect(server.received.count { $0.method == "POST" && $0.path.hasSuffix("/messages") } == 1)
  }

  @Test func commandsShowWhatTheyAreAskedFor() async {
    let own = ResolveKitTerminalCommand(name: "own", argument: "WORD", summary: "of the app") { _, word in
      ["own \(word)\u{1B}"]
    }
    let (_, input) = await talk(
      ["/help", "/tools", "/status", "/locale", "/locale x!", "/own thing", "/retry", "/export"], commands: [own])
    for words in [
      "/own WORD", "/quit", "count: Counts its runs.", "ask_first (asks first)", "session s1", "[locale ",
      "x! is no language tag", "own thing\n", "nothing to send again", "/export takes a file's name",
    ] { #expect(input.output.contains(words), "\(words)") }
  }

  @Test func toolsThatTheSessionDoesNotHaveAreNotListed() async {
    enum ForPhones: ResolveKitFunctionPack {
      static let packName = "phones"
      static let supportedPlatforms: [ResolveKitPlatform] = [.ios]
      static let functions: [any AnyResolveKitFunction.Type] = [ForPhone.self]
    }
    enum ForPhone: AnyResolveKitFunction {
      static let resolveKitName = "vibrate"
      static let resolveKitDescription = "Vibrates."
      static let resolveKitParametersSchema: JSONObject = [:]
      static func invoke(arguments: JSONObject, context: ResolveKitFunctionContext) async throws -> JSONValue { nil }
    }
    let (_, input) = await talk(["/tools"]) { configuration in
      configuration.functionPacks = [ForPhones.self]
      configuration.platform = .linux
      configuration.availableFunctionNamesProvider = { ["count", "vibrate"] }
    }
    #expect(input.output.contains("count: Counts"))
    #expect(!input.output.contains("vibrate") && !input.output.contains("ask_first"))
  }

  @Test func aFailedTurnIsSentAgain() async {
    let server = Self.echo()
    server.answer("POST /v1/sessions/s1/messages", with: [(422, #"{"detail":"too odd"}"#)])
    let (_, input) = await talk(["again", "/retry"], with: server)
    #expect(input.output.contains("[not sent: again]\n[the turn failed"))
    #expect(input.output.contains("/retry sends the message again"))
    #expect(input.output.contains("echo: again"))
  }

  @Test func ofAMessageThatMayHaveArrivedTheHistoryIsAskedFirst() async {
    let server = Self.echo()
    server.answer("POST /v1/sessions/s1/messages", with: Array(repeating: (502, ""), count: 5))
    let (_, input) = await talk(["again", "/retry", "/retry"], with: server)
    #expect(input.output.contains("[not known whether it arrived: again]\n"))
    #expect(input.output.contains("/retry asks whether the message arrived, and sends it only if not"))
    #expect(input.output.contains("echo: again") && input.output.contains("nothing to send again"))
    let calls = server.received.filter { $0.path.hasSuffix("/messages") }.map(\.method)
    #expect(calls == Array(repeating: "POST", count: 5) + ["GET", "POST"])
  }

  @Test func ctrlCTwiceEndsTheConversation() async {
    let (ending, input) = await talk(["^C", "hello", "^C", "^C", "never"])
    #expect(ending == .interrupted)
    #expect(input.output.contains("Ctrl-C again quits"))
    #expect(input.output.contains("echo: hello") && !input.output.contains("echo: never"))
  }

  @Test func ctrlCOverALineThatWasTypedDoesNotQuit() async {
    let (ending, input) = await talk(["^C", "half^C", "hello", "half^C", "^C"])
    #expect(ending == .interrupted)
    #expect(input.output.components(separatedBy: "Ctrl-C again quits").count == 4)
    #expect(input.output.contains("echo: hello"))
  }

  @Test func aRefusedKeyIsAnEndingOfItsOwn() async {
    let server = ContractServer(apiKey: "rk_other")
    let (ending, input) = await talk(["hello"], with: server)
    #expect(ending == .blocked)
    #expect(!input.output.isEmpty && input.prompts == [])
  }

  @Test func aTranscriptIsWrittenOnceAndForItsOwner() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "transcript-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (markdown, lines) = (folder.path + "/a.md", folder.path + "/a.jsonl")
    let (_, input) = await talk(["hello\u{1B}", "/export \(markdown)", "/export \(lines)", "/export \(lines)"])
    #expect(input.output.contains("there is such a file"))
    let text = try String(contentsOfFile: markdown, encoding: .utf8)
    #expect(text.contains("## You\n\nhello\n") && text.contains("## Agent\n\necho: hello\n"))
    let objects = try String(contentsOfFile: lines, encoding: .utf8).split(separator: "\n").map {
      try JSONValue(parsing: String($0)).objectValue ?? [:]
    }
    #expect(objects.map { $0["role"]?.stringValue } == ["user", "assistant"])
    #expect(objects.first?["text"]?.stringValue == "hello\u{1B}")
    let mode = try FileManager.default.attributesOfItem(atPath: lines)[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }

  /// One question after another; the first is answered by somebody else while the person types.
  @Test func anAnswerThatComesTooLateIsNotTakenForTheNextQuestion() async {
    let results = Countdown(2)
    let server = ContractServer(
      onMessage: { server, turn, request, _ in
        server.requestCall(turn: turn, request: request, tool: "ask_first", key: "late-view-1")
      },
      onToolResult: { server, _ in
        if results.step() { return server.streamAnswer(turn: "t1", request: "", ["done"]) }
        server.requestCall(turn: "t1", request: "", tool: "ask_first", key: "late-view-2")
      })
    let runtime = Conversation(server: server).runtime()
    let input = ScriptedInput(["y", "n"]) { prompts in
      guard prompts == 1 else { return }
      while runtime.pendingApproval == nil { await Task.yield() }
      let updates = runtime.updates()
      await runtime.declineToolCallBatch()
      for await update in updates { if case .tool(_, _, .cancelled) = update { return } }
    }
    let view = ResolveKitTerminalView(
      runtime: runtime, configuration: ResolveKitTerminalConfiguration(environment: [:]),
      renderer: TerminalRenderer(style: .plain, statusStyle: .plain), input: input)
    #expect(await view.run(message: "go") == .done)
    #expect(input.output.contains("[The decision was not taken: these calls were decided on before"))
    #expect(RunCounter.count("late-view-1") == 0 && RunCounter.count("late-view-2") == 0)
  }

  @Test func theQuestionShowsEveryDigitAndSaysWhatItCuts() async {
    let long = String(repeating: "x", count: 3000)
    let server = ContractServer(
      onMessage: { server, turn, request, _ in
        server.appendRaw(
          type: "tool_call_request",
          data:
            #"{"turn_id":"\#(turn)","request_id":"\#(request)","payload":{"call_id":"c","function_name":"ask_first","arguments":{"n": 9007199254740993,"key":"\#(long)"},"human_description":"Runs \u001b[1Ait"}}"#
        )
      },
      onToolResult: { server, _ in server.streamAnswer(turn: "t1", request: "", ["done"]) })
    let (_, input) = await talk(["v", "n"], with: server, message: "go")
    let shown = #"{"key":"\#(long)","n":9007199254740993}"#
    #expect(
      input.output.contains(
        "ask_first \(shown.prefix(2000))… [cut: 2000 of \(shown.count) characters are shown]\n  Runs \\u001b[1Ait\n"))
    #expect(input.output.contains("ask_first \(shown)\n"))
    #expect(input.prompts.map { $0.text.hasSuffix("never, v view all: ") } == [true, true])
  }

  @Test(arguments: [("y", 1), ("s", 1), ("n", 0), ("what", 0)])
  func callsThatNeedApprovalAreAskedAbout(answer: String, runs: Int) async {
    let key = "terminal-\(answer)"
    let server = ContractServer(
      onMessage: { server, turn, request, _ in
        server.append(
          turn: turn, request: request, type: "tool_call_request",
          payload: [
            "call_id": "c1", "function_name": "ask_first", "arguments": .object(["key": .string(key)]),
            "timeout_seconds": .number(30), "human_description": "Asks.", "requires_approval": .bool(true),
          ])
      },
      onToolResult: { server, result in
        server.append(
          turn: result["turn_id"]?.stringValue ?? "", request: "r", type: "turn_complete",
          payload: ["full_text": "finished"])
      })
    // What is no answer is asked again; the end of the input declines.
    let (ending, input) = await talk([answer], with: server, message: "go")
    #expect(ending == .done)
    #expect(RunCounter.count(key) == runs)
    #expect(input.prompts.allSatisfy { $0.purpose == .decision })
    #expect(input.output.contains(#"The agent asks to run ask_first {"key":"\#(key)"}"#))
  }
}
