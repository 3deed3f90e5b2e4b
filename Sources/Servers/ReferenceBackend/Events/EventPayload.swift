package import ResolveKitCore

/// The content of an event; its type and payload are the contract's.
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
  package static let callType = "tool_call_request"
  package static let escalationType = "session_escalated"
  /// The types after which a turn says nothing more.
  package static let terminalTypes: Set<String> = completeTypes.union(["error", escalationType])
  /// The types that end a turn with an answer; a request for a rating of it comes in one piece with its end.
  package static let completeTypes: Set<String> = ["turn_complete", "feedback_requested"]

  package var type: String {
    switch self {
    case .assistantTextDelta: Self.deltaType
    case .toolCallRequest: Self.callType
    case .turnComplete: "turn_complete"
    case .error: "error"
    case .humanMessage: "human_message"
    case .feedbackRequested: "feedback_requested"
    case .sessionEscalated: Self.escalationType
    }
  }

  /// The payload as the stream carries it: compact, names in byte order.
  package var jsonText: String {
    let json: JSONValue
    switch self {
    case .assistantTextDelta(let delta, let accumulated):
      json = ["delta": .string(delta), "accumulated": .string(accumulated)]
    case .toolCallRequest(let call):
      return call.jsonText
    case .turnComplete(let fullText, let usage):
      json = ["full_text": .string(fullText), "usage": usage?.json ?? .null]
    case .error(let code, let message, let recoverable):
      json = ["code": .string(code), "message": .string(message), "recoverable": .bool(recoverable)]
    case .humanMessage(let id, let text):
      json = ["message_id": .string(id), "text": .string(text)]
    case .feedbackRequested(let immediate):
      json = ["immediate": .bool(immediate)]
    case .sessionEscalated(let reason):
      json = ["reason": .string(reason)]
    }
    return json.jsonText
  }
}

/// A call that the client is asked to run.
package struct ToolCallRequest: Equatable, Sendable {
  package var callID: String
  package var functionName: String
  package var arguments: ResolveKitArguments
  package var timeoutSeconds: Int
  package var humanDescription: String
  package var requiresApproval: Bool

  /// The arguments by their own text: a `Double` has no room for every number that a model may write.
  var jsonText: String {
    let others: JSONValue = [
      "call_id": .string(callID), "function_name": .string(functionName),
      "timeout_seconds": .number(Double(timeoutSeconds)), "human_description": .string(humanDescription),
      "requires_approval": .bool(requiresApproval),
    ]
    return "{\"arguments\":\(arguments.jsonText),\(others.jsonText.dropFirst())"
  }
}
