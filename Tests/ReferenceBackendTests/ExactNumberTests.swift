import EventStream
import HTTPTypes
import ReferenceBackend
import ResolveKitCore
import Synchronization
import Testing

/// Digits beyond 2^53, from the model's bytes to the stream's, to the person's eyes, and back to the model.
@Suite(.timeLimit(.minutes(10)))
struct ExactNumberTests {
  private static let number = "9007199254740993"
  private static let arguments = #"{"id":9007199254740993,"list":[-9223372036854775808,0.1,1e2],"name":"x"}"#

  @Test func noDigitIsLost() async throws {
    let quoted = Self.arguments.replacing("\"", with: "\\\"")
    let endpoint = ModelEndpoint([
      .events([
        #"{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"c","function":{"name":"take","arguments":"\#(quoted)"}}]}}]}"#,
        #"{"choices":[{"delta":{},"finish_reason":"tool_calls"}]}"#,
      ]), .events([#"{"choices":[{"delta":{"content":"done"},"finish_reason":"stop"}]}"#]),
    ])
    try await endpoint.run { url in
      let folder = try TemporaryFolder()
      let model = try OpenAIModel(baseURL: url, model: "m", key: nil)
      let harness = try await Harness(model: model, path: folder.path("a.sqlite"))
      try await harness.register([["name": "take", "description": "Takes"]])
      let session = try await harness.openSession(tools: ["take"])
      let turn = try await session.say("x", requestID: "r")
      var reader = try await session.stream()
      let live = try #require(try await data(from: &reader))
      let event = try ResolveKitEnvelope(parsing: live)
      let call = try #require(ResolveKitToolCallRequest(event))
      #expect(call.exactArguments.jsonText == Self.arguments)
      #expect(call.humanDescription.contains("id: \(Self.number)"), "\(call.humanDescription)")
      let body =
        #"{"turn_id":"\#(turn)","call_id":"c","idempotency_key":"k","status":"success","result":{"n":\#(Self.number)}}"#
      #expect(try await harness.call(.post, session.path("tool-results"), body, token: session.token).status == 200)
      _ = try await session.eventsOfTurn()
      var replay = try await session.stream()
      #expect(try await data(from: &replay) == live)
      await harness.core.close()
    }
    let messages = endpoint.received.last?.body["messages"]?.arrayValue?.compactMap(\.objectValue) ?? []
    #expect(messages.last?["content"]?.stringValue == #"{"n":\#(Self.number)}"#)
    let function = messages.dropLast().last?["tool_calls"]?.arrayValue?.first?.objectValue?["function"]?.objectValue
    #expect(function?["arguments"]?.stringValue == Self.arguments)
  }

  private func data(from reader: inout EventReader) async throws -> String? {
    while let item = await reader.nextItem() {
      if case .event(let event) = item { return event.data }
    }
    return nil
  }
}
