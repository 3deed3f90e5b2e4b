import Foundation
import ResolveKitCore
import Testing

@testable import ResolveKitUI

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

  @Test func oneMessageIsOneAnswer() async {
    let (ending, input) = await talk([], message: "only")
    #expect(ending == .done)
    #expect(input.output.contains("echo: only\n"))
    #expect(input.prompts == [])
  }

  @Test func aBackslashGoesOnInTheNextLine() async {
    let (_, input) = await talk(["one\\", "two", "/quit"])
    #expect(input.output.contains("echo: one\ntwo\n"))
    #expect(input.prompts.map(\.text) == ["> ", "… ", "> "])
  }

  @Test func anUnknownCommandIsNotSent() async {
    let server = Self.echo()
    let (ending, input) = await talk(["/nonsense now", " /etc is a folder", "/quit"], with: server)
    #expect(ending == .done)
    #expect(input.output.contains("there is no command /nonsense"))
    #expect(input.output.contains("echo: /etc is a folder"))
    #expect(server.received.count { $0.method == "POST" && $0.path.hasSuffix("/messages") } == 1)
  }

  @Test func commandsTellWhatTheyAreAskedFor() async {
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
    #expect(input.output.contains("the turn failed"))
    #expect(input.output.contains("echo: again"))
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
