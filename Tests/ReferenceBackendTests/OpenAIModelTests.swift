import Foundation
import HTTPTypes
import Logging
import ReferenceBackend
import ResolveKitCore
import StreamTransport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct OpenAIModelTests {
  private static let toolCall = ModelEndpoint.Answer(chunks: [
    #"data: {"choices":[{"index":0,"delta":{"role":"assistant","content":""}}]}"# + "\n\n",
    #"data: {"choices":[{"index":0,"delta":{"content":"Let me look."}}]}"# + "\n\n",
    // The arguments' text comes in parts, one of them cut inside a line.
    #"data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"call_9","type":"function","#
      + #""function":{"name":"get_local_time","arguments":"{\"zo"}}]}}]}"# + "\n\n"
      + #"data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"func"#,
    #"tion":{"arguments":"ne\":\"Zürich\"}"}}]}}]}"# + "\n\n",
    #"data: {"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}"# + "\n\n",
    #"data: {"choices":[],"usage":{"prompt_tokens":10,"completion_tokens":4}}"# + "\n\ndata: [DONE]\n\n",
  ])
  private static let answer = ModelEndpoint.Answer.events([
    #"{"choices":[{"index":0,"delta":{"content":"It is "}}]}"#,
    #"{"choices":[{"index":0,"delta":{"content":"noon."}}]}"#,
    #"{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#,
    #"{"choices":[],"usage":{"prompt_tokens":20,"completion_tokens":3}}"#,
  ])

  /// The way to the endpoint.
  enum Way: CaseIterable {
    case plaintext
    case race
    /// Named, as the race is HTTP/1.1's where the machine is slow.
    case http3

    var scheme: Origin.Scheme { self == .plaintext ? .http : .https }

    func makeModel(_ url: String) throws -> OpenAIModel {
      guard self == .http3 else {
        return try OpenAIModel(baseURL: url, model: "m", key: "sk-test", tls: ModelEndpoint.tls, proxies: .none)
      }
      let origin = try Origin(try #require(URL(string: url)))
      let transport = HTTP3Transport(
        origin: origin, tls: ModelEndpoint.tls, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
        configuration: .patient)
      return try OpenAIModel(baseURL: url, model: "m", key: "sk-test", transport: transport)
    }
  }

  @Test(arguments: Way.allCases)
  func aTurnWithAToolCallWorks(over way: Way) async throws {
    let endpoint = ModelEndpoint([Self.toolCall, Self.answer])
    try await endpoint.run(way.scheme) { url in
      let model = try way.makeModel(url)
      let harness = try await Harness(model: model)
      try await harness.register([
        [
          "name": "get_local_time", "description": "Tells the time",
          "parameters_schema": ["type": "object", "properties": ["zone": ["type": "string"]]],
        ]
      ])
      let session = try await harness.openSession(tools: ["get_local_time"])
      var reader = try await session.stream()
      let turn = try await session.say("What time is it in Zürich?", requestID: "r")
      var events: [TestEvent] = []
      while let event = try await reader.nextEvent() {
        events.append(event)
        if event.type == "tool_call_request" {
          #expect(event.payload["call_id"] == "call_9")
          #expect(event.payload["arguments"] == ["zone": "Zürich"])
          let result = try await session.sendResult(["time": "12:00"], turn: turn, call: "call_9", key: "k")
          #expect(result.status == 200)
        }
        if event.isTerminal { break }
      }
      #expect(events.last?.type == "turn_complete")
      #expect(events.text == "Let me look.\n\nIt is noon.")
      #expect(events.last?.payload["full_text"]?.stringValue == events.text)
      #expect(events.last?.payload["usage"] == ["prompt_tokens": 30, "completion_tokens": 7])
      await harness.core.close()
    }
    let requests = endpoint.received
    #expect(requests.count == 2)
    #expect(requests.allSatisfy { $0.authorization == "Bearer sk-test" && $0.body["stream"] == true })
    let tool = requests.first?.body["tools"]?.arrayValue?.first?.objectValue?["function"]?.objectValue
    #expect(tool?["name"] == "get_local_time")
    let messages = requests.last?.body["messages"]?.arrayValue?.compactMap(\.objectValue) ?? []
    #expect(messages.compactMap { $0["role"]?.stringValue }.suffix(3) == ["user", "assistant", "tool"])
    #expect(messages.last?["tool_call_id"] == "call_9")
    #expect(messages.last?["content"] == #"{"time":"12:00"}"#)
    let call = messages.dropLast().last?["tool_calls"]?.arrayValue?.first?.objectValue?["function"]?.objectValue
    #expect(call?["arguments"] == #"{"zone":"Zürich"}"#)
  }

  @Test(arguments: [
    (ModelEndpoint.Answer(status: .unauthorized, chunks: ["no"]), ModelError.Code.refused),
    (ModelEndpoint.Answer(status: .tooManyRequests), .refused),
    (ModelEndpoint.Answer(status: .internalServerError, chunks: ["broken"]), .unreachable),
    (ModelEndpoint.Answer(chunks: ["data: {\"choices\":[{\"delta\":{\"content\":\"half\"}}]}\n\n"]), .unreachable),
    (
      ModelEndpoint.Answer(
        chunks: ["data: {\"choices\":[{\"delta\":{\"content\":\"half\"}}]}\n\n"], breaksOff: true), .unreachable
    ),
    (ModelEndpoint.Answer.events(["no json"]), .malformed), (.events([#"{"error":{"message":"x"}}"#]), .unreachable),
    (
      .events([
        #"{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{"}}]}}]}"#
      ]), .malformed
    ),
    (.events([#"{"choices":[{"delta":{"content":"\#(String(repeating: "x", count: 1_001))"}}]}"#]), .malformed),
  ])
  func failuresAreReported(_ answer: ModelEndpoint.Answer, _ code: ModelError.Code) async throws {
    let endpoint = ModelEndpoint([answer])
    try await endpoint.run { url in
      let model = try OpenAIModel(baseURL: url, model: "m", key: nil, answerLimit: 1_000)
      let error = await #expect(throws: ModelError.self) {
        try await model.reply(to: ModelConversation(messages: [.user("x")], tools: [])) { _ in }
      }
      #expect(error?.code == code)
      await model.shutdown()
    }
  }

  @Test func anUnreachableEndpointIsReported() async throws {
    let model = try OpenAIModel(baseURL: "http://127.0.0.1:1/v1", model: "m", key: "sk-secret")
    let error = await #expect(throws: ModelError.self) {
      try await model.reply(to: ModelConversation(messages: [.user("x")], tools: [])) { _ in }
    }
    #expect(error?.code == .unreachable)
    #expect(error?.message.contains("sk-secret") == false)
    await model.shutdown()
  }

  @Test(arguments: [
    "", "ftp://x", "localhost:80", "http://example.com/v1", "https://me:pass@example.com/v1",
    "https://example.com?k=pass",
    "https://example.com/v1#pass", "https://", "https://example.com:99999",
  ])
  func badBaseURLsAreRefused(_ url: String) {
    let error = #expect(throws: BackendError.self) { try OpenAIModel(baseURL: url, model: "m", key: "k") }
    #expect(error?.code == .configuration && error?.message.contains("pass") == false)
  }

  @Test(arguments: ["two words", "sk\r\nx-evil: 1", "ключ", "sk\u{7F}"])
  func aKeyThatNoFieldCarriesIsRefused(_ key: String) {
    let error = #expect(throws: BackendError.self) {
      try OpenAIModel(baseURL: "https://example.com/v1", model: "m", key: key)
    }
    #expect(error?.code == .configuration && error?.message.contains(key) == false)
  }

  @Test func noDescriptionShowsTheKey() throws {
    let model = try OpenAIModel(baseURL: "https://example.com/v1", model: "m", key: " sk-secret\n")
    var dumped = ""
    dump(model, to: &dumped)
    #expect(!"\(model)\(String(reflecting: model))\(dumped)".contains("sk-secret"))
    #expect(dumped.contains("(hidden)"))
  }
}
