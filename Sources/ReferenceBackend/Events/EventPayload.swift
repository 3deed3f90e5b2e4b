package import ResolveKitCore

/// What an event says; its type and payload are the contract's.
package enum EventPayload: Equatable, Sendable {
  case assistantTextDelta(delta: String, accumulated: String)
  case toolCallRequest(ToolCallRequest)
  case turnComplete(fullText: String, usage: ModelUsage?)
  case error(code: String, message: String, recoverable: Bool)
  /// A person's message at the other end.
  case humanMessage(id: String, text: String)
  /// A rating is asked for: at once, or when the answer has been read.
  case feedbackRequested(immediate: Bool)
  /// A person takes over; a running turn ends with it.
  case sessionEscalated(reason: String)

  package static let deltaType = "assistant_text_delta"
  /// The types after which a turn says nothing more.
  package static let terminalTypes: Set<String> = completeTypes.union(["error", "session_escalated"])
  /// The types that end a turn with an answer; a request for a rating of it comes in one piece with its end.
  package static let completeTypes: Set<String> = ["turn_complete", "feedback_requested"]

  package var type: String {
    switch self {
    case .assistantTextDelta: Self.deltaType
    case .toolCallRequest: "tool_call_request"
    case .turnComplete: "turn_complete"
    case .error: "error"
    case .humanMessage: "human_message"
    case .feedbackRequested: "feedback_requested"
    case .sessionEscalated: "session_escalated"
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
    case .humanMessage(let id, let text):
      return ["message_id": .string(id), "text": .string(text)]
    case .feedbackRequested(let immediate):
      return ["immediate": .bool(immediate)]
    case .sessionEscalated(let reason):
      return ["reason": .string(reason)]
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
