import ArgumentParser
import Foundation
import HTTPTypes
import ReferenceBackend
import ResolveKitCore
import StreamTransport
import Subprocess
import Synchronization
import Testing

@testable import chat

/// `chat` with a language model's endpoint behind the backend that it brings.
@Suite(.timeLimit(.minutes(10)))
struct ChatModelTests {
  private static let key = "sk-not-to-be-seen"

  /// An endpoint that answers each request with the next of its scripts.
  private final class ModelServer: Sendable {
    struct Received {
      var request: HTTPRequest
      var body: JSONObject
    }

    private let status: HTTPResponse.Status
    private let answers: [String]
    private let state = Mutex<[Received]>([])

    /// - Parameter answers: the body of the answer to each request.
    init(status: HTTPResponse.Status = .ok, answers: [String]) {
      self.status = status
      self.answers = answers
    }

    var received: [Received] { state.withLock { $0 } }

    func answer(_ exchange: HTTP3ServerExchange) async {
      guard let bytes = try? await exchange.body.collect(upTo: 1 << 20),
        let body = (try? JSONValue(parsing: bytes))?.objectValue
      else { return }
      let number = state.withLock { received in
        received.append(Received(request: exchange.request, body: body))
        return received.count - 1
      }
      let text = answers.indices.contains(number) ? answers[number] : ""
      let type = status == .ok ? "text/event-stream" : "application/json"
      try? await exchange.respond(HTTPResponse(status: status, headerFields: [.contentType: type]))
      try? await exchange.write(Array(text.utf8))
      try? await exchange.finish()
    }
  }

  private static func events(_ chunks: [String]) -> String {
    chunks.map { "data: {\"choices\":[\($0)]}\n\n" }.joined() + "data: [DONE]\n\n"
  }

  /// Runs `chat` with the endpoint as its model, over HTTP/3: nothing else listens there.
  private func chat(
    _ model: ModelServer, _ arguments: [String], state: URL
  ) async throws -> BuiltProgram.Outcome {
    try await H3GetServer.run {
      await model.answer($0)
    } body: { server in
      try await BuiltProgram(name: "chat").run(
        ["--model-url", server.url("/v1"), "--model-name", "m", "--ca-file", server.authority] + arguments,
        environment: ["XDG_STATE_HOME": state.path, "OPENAI_API_KEY": Self.key])
    }
  }

  @Test func aModelIsAskedOverHTTP3AndCallsATool() async throws {
    let model = ModelServer(answers: [
      Self.events([
        #"{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"get_local_time","arguments":"{}"}}]}}"#,
        #"{"delta":{},"finish_reason":"tool_calls"}"#,
      ]),
      Self.events([#"{"delta":{"content":"Arr, "}}"#, #"{"delta":{"content":"noon."},"finish_reason":"stop"}"#]),
    ])
    let state = TerminalDialogue.temporaryFolder()
    defer { try? FileManager.default.removeItem(at: state) }
    let outcome = try await chat(
      model, ["--system", "Answer like a pirate.", "--log-level", "trace", "what time is it?"], state: state)
    #expect(outcome.status == .exited(0), "\(outcome.error)")
    #expect(outcome.output == "Arr, noon.\n")

    let requests = model.received
    #expect(requests.count == 2)
    for received in requests {
      #expect(received.request.path == "/v1/chat/completions" && received.body["model"] == "m")
      #expect(received.request.headerFields[.authorization] == "Bearer \(Self.key)")
    }
    let messages = requests.last?.body["messages"]?.arrayValue?.compactMap(\.objectValue) ?? []
    // The second is the greeting.
    #expect(messages.map { $0["role"] } == ["system", "assistant", "user", "assistant", "tool"])
    #expect(messages.first?["content"]?.stringValue?.hasPrefix("Answer like a pirate.") == true)
    let tools = requests.first?.body["tools"]?.arrayValue?.compactMap { $0.objectValue?["function"]?.objectValue }
    #expect(tools?.contains { $0["name"] == "get_local_time" } == true)

    // The key is nowhere but in the request: not in the log, and in no file that is kept.
    #expect(outcome.error.contains("v1/chat/completions") && !outcome.error.contains(Self.key))
    let names = FileManager.default.enumerator(atPath: state.path)?.compactMap { $0 as? String } ?? []
    #expect(names.contains { $0.hasSuffix(".journal") })
    for name in names {
      let bytes = (try? Data(contentsOf: state.appending(path: name))) ?? Data()
      #expect(bytes.range(of: Data(Self.key.utf8)) == nil, "\(name)")
    }
  }

  @Test func aKeyThatTheModelDoesNotAcceptIsNamedWithTheRemedy() async throws {
    let model = ModelServer(status: .unauthorized, answers: [#"{"error":{"message":"\#(Self.key) is no key"}}"#])
    let state = TerminalDialogue.temporaryFolder()
    defer { try? FileManager.default.removeItem(at: state) }
    let outcome = try await chat(model, ["hello"], state: state)
    #expect(outcome.status == .exited(1))
    #expect(
      outcome.error.contains("set OPENAI_API_KEY to one that it knows. It answered 401: (hidden) is no key"),
      "\(outcome.error)")
    // Once, and not in the log too.
    #expect(outcome.error.ranges(of: "OPENAI_API_KEY").count == 1, "\(outcome.error)")
    #expect(!outcome.error.contains(Self.key) && !outcome.output.contains(Self.key))
  }

  // MARK: Settings

  private func settings(_ arguments: [String], environment: [String: String] = [:]) throws -> ChatSettings {
    var environment = environment
    environment["XDG_CONFIG_HOME"] = "/nonexistent"
    return try ChatSettings.load(try ChatOptions.parse(arguments), environment: environment)
  }

  @Test(arguments: [
    (["--model-url", "https://a.example/v1"], "model-url (command line) needs the model's name"),
    (["--model-url", "https://a.example/v1", "--model-name", ""], "needs the model's name"),
    (["--model-name", "m"], "name its address with model-url"),
    (["--system", "Be brief."], "name its address with model-url"),
    (["--model-url", "https://a.example/v1", "--model-name", "m", "--url", "https://b.example"], "give one of them"),
    (["--model-url", "localhost:11434/v1", "--model-name", "m"], "'localhost:11434/v1' is no http or https URL"),
    (["--model-url", "http://a.example/v1", "--model-name", "m"], "in plaintext; use an https URL"),
    (["--model-url", "https://me:pass@a.example/v1", "--model-name", "m"], "has a user, a query or a fragment"),
    (
      ["--model-url", "https://a.example/v1", "--model-name", "m", "--ca-file", "/nowhere"], "'/nowhere' can't be read"
    ),
  ])
  func whatCannotBeAskedIsRefusedWithTheRemedy(_ arguments: [String], _ words: String) {
    let failure = #expect(throws: ChatFailure.self) {
      _ = try EmbeddedModel.make(try settings(arguments), environment: ["OPENAI_API_KEY": Self.key])
    }
    #expect(failure?.code == .usage && failure?.message.contains(words) == true, "\(failure?.message ?? "")")
    #expect(failure?.message.contains("pass@") == false)
  }

  @Test func withoutAModelTheDemonstratorAnswers() throws {
    #expect(try EmbeddedModel.make(try settings([]), environment: ["OPENAI_API_KEY": Self.key]) is DemoModel)
    let local = try settings(["--model-url", "http://localhost:11434/v1", "--model-name", "llama"])
    #expect(try EmbeddedModel.make(local, environment: [:]).name == "openai:llama")
  }

  @Test func aFlagForOneBackendOverrulesWhatTheEnvironmentSaysOfTheOther() throws {
    let environment = [
      "RESOLVEKIT_BASE_URL": "https://b.example", "RESOLVEKIT_MODEL_NAME": "m", "RESOLVEKIT_SYSTEM": "Be brief.",
    ]
    let model = try settings(["--model-url", "https://a.example/v1"], environment: environment)
    #expect(model.text(.baseURL) == nil && model.text(.modelName) == "m" && model.text(.system) == "Be brief.")
    let backend = try settings(["--url", "https://c.example"], environment: environment)
    #expect(backend.text(.baseURL) == "https://c.example" && backend.text(.modelName) == nil)
    #expect(throws: ChatFailure.self) { try settings([], environment: environment) }
  }

  @Test func aPasswordInTheModelsURLIsNotPrinted() throws {
    let text = try settings(["--model-url", "https://me:pass@a.example/v1", "--model-name", "m"]).description
    #expect(text.contains("model-url") && text.contains("a.example") && !text.contains("pass"))
  }
}
