import ResolveKitUI
import SessionSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct RuntimeArgumentTests {
  private enum ExactTool: AnyResolveKitFunction {
    static let resolveKitName = "exact"
    static let resolveKitDescription = "Tells the integer that it was given."
    static let resolveKitRequiresApproval = false
    static let resolveKitParametersSchema: JSONObject = [:]

    static func invoke(arguments: JSONObject, context: ResolveKitFunctionContext) async throws -> JSONValue {
      try await invoke(exactly: ResolveKitArguments(arguments), context: context)
    }

    static func invoke(
      exactly arguments: ResolveKitArguments, context: ResolveKitFunctionContext
    ) async throws -> JSONValue {
      .string("\(try arguments.value("n", as: Int.self))")
    }
  }

  @Test(
    arguments: [
      ("9007199254740993", "success 9007199254740993"), ("9223372036854775807", "success 9223372036854775807"),
      (
        "1e300",
        "error Invalid function arguments: 'n': expected an integer from -9223372036854775808 to below 9223372036854775808, got the number 1e300."
      ),
    ])
  func digitsReachTheToolFromTheWire(number: String, answer: String) async throws {
    let server = ContractServer(
      onMessage: { server, turn, request, _ in
        server.appendRaw(
          type: "tool_call_request",
          data:
            #"{"event_id":"1","turn_id":"\#(turn)","request_id":"\#(request)","type":"tool_call_request","payload":{"call_id":"c","function_name":"exact","arguments":{"n":\#(number)},"timeout_seconds":30}}"#
        )
      },
      onToolResult: { server, result in
        let words = [result["status"], result["result"] ?? result["error"]].compactMap { value in
          if case .string(let text)? = value { text } else { nil }
        }
        server.streamAnswer(turn: "t1", request: "", [words.joined(separator: " ")])
      })
    let updates = try await Conversation(server: server, functions: [ExactTool.self]).updates(of: "tell")
    #expect(updates.finishedTurn?.text == answer)
  }
}
