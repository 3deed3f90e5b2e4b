package import ResolveKitCore

/// What an event says; its type and payload are the contract's.
package enum EventPayload: Equatable, Sendable {
  case assistantTextDelta(delta: String, accumulated: String)
  case toolCallRequest(ToolCallRequest)
  case turnComplete(fullText: String, usage: ModelUsage?)
  case error(code: String, message: String, recoverable: Bool)

  package static let deltaType = "assistant_text_delta"
  /// The types after which a turn says nothing more.
  package static let terminalTypes: Set<String> = ["turn_complete", "error", "session_escalated"]

  package var type: String {
    switch self {
    case .assistantTextDelta: Self.deltaType
    case .toolCallRequest: "tool_call_request"
    case .turnComplete: "turn_complete"
    case .error: "error"
    }
  }

  package var json: JSONValue {
    switch self {
    case .assistantTextDelta(let delta, let accumulated):
      return ["delta": .string(delta), "accumulated": .string(accumulated)]
    case .toolCallRequest(let call):
      return call.json
    case .turnComplete(let fullText, let usage):
      return ["full_text": .string(fullText), "usage": usage?.json ?? .null]
    case .error(let code, let message, let recoverable):
      return ["code": .string(code), "message": .string(message), "recoverable": .bool(recoverable)]
    }
  }
}

/// A call that the client is asked to run.
package struct ToolCallRequest: Equatable, Sendable {
  package var callID: String
  package var functionName: String
  package var arguments: JSONObject
  package var timeoutSeconds: Int
  package var humanDescription: String
  package var requiresApproval: Bool

  var json: JSONValue {
    [
      "call_id": .string(callID), "function_name": .string(functionName), "arguments": .object(arguments),
      "timeout_seconds": .number(Double(timeoutSeconds)), "human_description": .string(humanDescription),
      "requires_approval": .bool(requiresApproval),
    ]
  }
}
