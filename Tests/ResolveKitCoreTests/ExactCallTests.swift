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
    let arguments = #"{"n":9007199254740992,"x":0.1,"y":"é"}"#
    let request = try #require(try ResolveKitToolCallRequest(envelope(arguments)))
    #expect(request.argumentsText == arguments)
    let text = String(decoding: try ResolveKitJSON.encode(request), as: UTF8.self)
    #expect(!text.contains("arguments_text"))
    let stored = try ResolveKitJSON.decode(ResolveKitToolCallRequest.self, from: Array(text.utf8))
    #expect(stored.argumentsText.utf8.elementsEqual(arguments.utf8))
  }

  @Test(arguments: [
    #"{ "b" : 1.50 , "a":"\u002fsrv" }"#, #"{"n":-0,"m":1E2,"list":[1.0, 2]}"#, #"{"s":"cafe\u0301 caf\u00e9"}"#, "{}",
    #"{"n":0.1000000000000000055,"big":123456789012345678901234567890}"#, #"{"s":"\ud800","t":"\u202e"}"#,
  ])
  func everyByteReachesPersonPolicyJournalAndTool(text: String) throws {
    let request = try #require(try ResolveKitToolCallRequest(envelope(text)))
    #expect(request.argumentsText.utf8.elementsEqual(text.utf8))
    var machine = TurnMachine.running()
    let actions = machine.handle(
      .streamEvent(
        StreamEvent(
          generation: 1, id: "1", type: "tool_call_request",
          data: #"{"turn_id":"t","payload":{"call_id":"c","function_name":"asks","arguments":\#(text)}}"#, arrivedAt: 2)
      ))
    let consulted = actions.compactMap {
      if case .consultPolicy(let call) = $0 { call.pending.argumentsText } else { nil }
    }
    // What is on the disk, and what the next process makes of it.
    let kept = JournalRecord(sequence: 1, wallMilliseconds: 1, time: 1, entries: machine.record)
    let read = try JournalReader(JournalFormat.header + JournalFormat.encode(kept))
    let restored = read.image.calls.map(\.call.request.argumentsText)
    _ = machine.handle(.deadlinePassed(.batchWindow(batchID: 1), at: 1_000_000_000))
    let asked = try #require(machine.question)
    let decided = machine.handle(.approvalDecided(.approveOnce, on: asked, only: nil, at: 1_000_000_000))
    let started = decided.compactMap { if case .startTool(let call) = $0 { call.request.argumentsText } else { nil } }
    for texts in [consulted, restored, asked.calls.map(\.argumentsText), started] {
      #expect(texts.map { Array($0.utf8) } == [Array(text.utf8)])
    }
    let item = ResolveKitJSON.self
    let pending = try item.decode(ResolveKitPendingToolCall.self, from: item.encode(asked.calls[0]))
    #expect(pending.argumentsText.utf8.elementsEqual(text.utf8))
  }

  private static let deep = #"{"a":"# + String(repeating: "[", count: 300) + String(repeating: "]", count: 300) + "}"

  /// Which of two values runs must not be a matter of who reads them; none runs, and the model hears why.
  @Test(arguments: [
    (#"{"path":"/a","path":"/b"}"#, #"the name "path" is given twice at byte 13"#),
    (#"{"path":"/a","p\u0061th":"/b"}"#, #"the name "path" is given twice at byte 13"#),
    (#"{"o":[{"x":1,"x":1}]}"#, #"the name "x" is given twice"#),
    (#"{"caf\u00e9":1,"cafe\u0301":2}"#, #"is given twice"#),
    (#"{"n":1e400}"#, #""n" has a number outside the range of a double"#), (#"{"n":[-1e999]}"#, "outside the range"),
    (#"{"n":NaN}"#, "expected a value"), (#""path""#, "the arguments are not an object"), ("[1]", "not an object"),
    (Self.deep, "nested deeper"),
  ])
  func argumentsThatCannotBeTakenAreAnsweredAndNeverRun(text: String, reason: String) throws {
    for tool in ["asks", "auto", "again"] {
      var machine = TurnMachine.running()
      let data =
        #"{"turn_id":"t","payload":{"call_id":"c","function_name":"\#(tool)","arguments":\#(text),"timeout_seconds":9}}"#
      let event = StreamEvent(generation: 1, id: "1", type: "tool_call_request", data: data, arrivedAt: 2)
      let actions = machine.handle(.streamEvent(event))
      #expect(actions.started.isEmpty && !actions.contains { if case .consultPolicy = $0 { true } else { false } })
      let error = try #require(actions.delivered.first?.error)
      #expect(error.hasPrefix("Invalid function arguments: ") && error.contains(reason), "\(error)")
      #expect(machine.handle(.deadlinePassed(.batchWindow(batchID: 1), at: 1_000_000_000)).asked.isEmpty)
      // What came is in the list all the same.
      #expect(machine.batches.first?.items.map { Array($0.call.argumentsText.utf8) } == [Array(text.utf8)])
      // The same again: the same answer.
      _ = machine.handle(.resultAccepted(ToolCallKey(turnID: "t", callID: "c"), deduplicated: false, at: 3))
      let again = StreamEvent(generation: 1, id: "2", type: "tool_call_request", data: data, arrivedAt: 3)
      #expect(machine.handle(.streamEvent(again)).delivered.map(\.error) == [error])
    }
  }

  @Test func onlyTheArgumentsOfACallMayBeUnreadable() {
    for data in [
      #"{"type":"tool_call_request","payload":{"call_id":1e400,"function_name":"f","arguments":{}}}"#,
      #"{"type":"tool_call_request","payload":{"arguments":{"a":1e400}"#, #"{"payload":{"arguments":}}"#,
      #"{"type":"turn_complete","payload":{"full_text":"x","arguments":{"n":1e400}}}"#, #"{"payload":{"arguments":"#,
    ] { #expect(throws: JSONError.self, "\(data)") { try ResolveKitEnvelope(parsing: data) } }
  }

  /// The member that counts for the one counts for the other.
  @Test func theTextIsThatOfTheMemberThatCounts() throws {
    for (data, text) in [
      (#"{"payload":{"function_name":"f","arguments":{"a":1},"arguments":{"a":2}}}"#, #"{"a":2}"#),
      (#"{"payload":{"arguments":{"a":1}},"payload":{"function_name":"f","\u0061rguments" : {"a":2} }}"#, #"{"a":2}"#),
      (#"{"payload":{"function_name":"f","x":{"arguments":{"a":1}},"arguments":{"a":"}\""}}}"#, #"{"a":"}\""}"#),
      (#"{"payload":{"arguments":{"a":1}},"payload":{"function_name":"f"}}"#, "{}"),
      (#"{"payload":{"function_name":"f","arguments":null}}"#, "{}"),
    ] {
      let envelope = try ResolveKitEnvelope(parsing: data, fallbackType: "tool_call_request")
      let request = try #require(ResolveKitToolCallRequest(envelope))
      #expect(request.argumentsText == text && request.argumentsFault == nil)
      #expect(request.arguments == envelope.payload["arguments"]?.objectValue ?? [:])
    }
  }

  @Test(arguments: [#"{"n":9007199254740993}"#, #"{"n":[{"x":0.1000000000000000055}]}"#])
  func aToolThatCannotTakeADigitIsNotRunWithoutIt(text: String) async throws {
    let arguments = try ResolveKitArguments(parsing: text)
    let error = await #expect(throws: ResolveKitFunctionError.self) {
      try await Plain.invoke(exactly: arguments, context: ResolveKitFunctionContext())
    }
    #expect(error?.description.contains("'n' has a number with more digits than this tool can take") == true)
    let inexact = #expect(throws: ResolveKitFunctionError.self) { try arguments.value("n", as: JSONValue.self) }
    #expect(inexact?.description.contains("send a longer one as a string") == true)
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
