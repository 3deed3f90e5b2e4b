import Testing

@testable import ResolveKitCore

/// The digits of a call's arguments on their way from the wire to the tool.
struct ExactCallTests {
  private func envelope(_ arguments: String) throws -> ResolveKitEnvelope {
    try ResolveKitEnvelope(
      parsing:
        #"{"event_id":"1","turn_id":"t","type":"tool_call_request","payload":{"call_id":"c","function_name":"f","arguments":\#(arguments)}}"#
    )
  }

  @Test func digitsSurviveTheEnvelopeAndTheJournal() throws {
    let request = try #require(try ResolveKitToolCallRequest(envelope(#"{"n":9007199254740993,"b":[1e2]}"#)))
    #expect(request.exactArguments.jsonText == #"{"b":[1e2],"n":9007199254740993}"#)
    #expect(request.arguments == ["n": 9_007_199_254_740_992, "b": [100]])
    let stored = try ResolveKitJSON.decode(
      ResolveKitToolCallRequest.self, from: ResolveKitJSON.encode(request))
    #expect(stored == request)
    #expect(try stored.exactArguments.value("n", as: Int.self) == 9_007_199_254_740_993)
  }

  @Test func nothingIsKeptTwiceWhereADoubleWillDo() throws {
    let envelope = try envelope(#"{"n":9007199254740992,"x":0.1,"y":1.50}"#)
    #expect(envelope.argumentsText == nil)
    let request = try #require(ResolveKitToolCallRequest(envelope))
    let text = String(decoding: try ResolveKitJSON.encode(request), as: UTF8.self)
    #expect(!text.contains("arguments_text"))
  }

  @Test func changedArgumentsAreTheNewOnes() throws {
    var request = try #require(try ResolveKitToolCallRequest(envelope(#"{"n":9007199254740993}"#)))
    request.arguments["n"] = 1
    #expect(try request.exactArguments.value("n", as: Int.self) == 1)
  }

  @Test func callsThatDifferBeyondADoubleAreNotTheSame() throws {
    let first = try ResolveKitToolCallRequest(envelope(#"{"n":9007199254740993}"#))
    let second = try ResolveKitToolCallRequest(envelope(#"{"n":9007199254740992}"#))
    #expect(first?.arguments == second?.arguments)
    #expect(first != second)
  }

  private struct Plain: AnyResolveKitFunction {
    static let resolveKitName = "plain"
    static let resolveKitDescription = "Written by hand."
    static let resolveKitParametersSchema: JSONObject = [:]

    static func invoke(arguments: JSONObject, context: ResolveKitFunctionContext) async throws -> JSONValue {
      .object(arguments)
    }
  }

  @Test func aToolWrittenByHandGetsTheSameAsBefore() async throws {
    let arguments = try ResolveKitArguments(parsing: #"{"n":1,"s":"a","l":[null,true]}"#)
    let answer = try await Plain.invoke(exactly: arguments, context: ResolveKitFunctionContext())
    #expect(answer == ["n": 1, "s": "a", "l": [nil, true]])
  }

  @Test func resultsKeepTheirDigits() throws {
    #expect(try JSONValue(encoding: Int64.max) == "9223372036854775807")
    #expect(try JSONValue(encoding: [1 << 53, -3]) == [.number(9_007_199_254_740_992), -3])
    #expect(try JSONValue(encoding: ["a": 0.1]) == ["a": 0.1])
    #expect(try JSONValue(encoding: [1.5e300, 1_152_921_504_606_846_976.0]) == [1.5e300, .number(0x1p60)])
    #expect(try JSONValue(encoding: String?.none) == .null)
    #expect(throws: JSONError.self) { try JSONValue(encoding: [Double.nan]) }
  }

  @Test func aLongResultIsCutWithAMark() throws {
    #expect(JSONValue.string("short").cut(toBytes: 100) == "short")
    for value: JSONValue in [
      .string(String(repeating: "é\n\u{1}\"", count: 500)), .array(Array(repeating: "long \\ text", count: 500)),
    ] {
      let cut = value.cut(toBytes: 300)
      #expect(cut.serialized().count <= 300)
      #expect(cut.serialized().count > 280)
      #expect(cut.stringValue?.contains("… [cut: the first ") == true)
    }
  }

  @Test func theMachineStartsAToolWithAllDigitsAndCutsALongResult() throws {
    var policy = TurnPolicy()
    policy.maximumResultBytes = 200
    var machine = TurnMachine.running(policy: policy)
    let data =
      #"{"event_id":"1","turn_id":"t","request_id":"r","type":"tool_call_request","payload":{"call_id":"c","function_name":"auto","arguments":{"n":9007199254740993}}}"#
    let actions = machine.handle(
      .streamEvent(StreamEvent(generation: 1, id: "1", type: "tool_call_request", data: data, arrivedAt: 2)))
    let calls = actions.compactMap { if case .startTool(let call) = $0 { call } else { nil } }
    #expect(calls.map(\.request.exactArguments.jsonText) == [#"{"n":9007199254740993}"#])
    let long = String(repeating: "x", count: 1000)
    let done = machine.handle(
      .toolFinished(ToolCallKey(turnID: "t", callID: "c"), .success(.string(long)), at: 3))
    let result = try #require(done.delivered.first)
    #expect(result.status == .success)
    #expect(result.result?.stringValue?.hasSuffix("of 1000 bytes]") == true)
    #expect(result.result?.serialized().count ?? 0 <= 200)
  }
}
