import ResolveKitCore

/// The body of a chat-completions request.
enum OpenAIRequest {
  /// - Parameter systemPrompt: nil for one that suits an assistant in an app.
  static func body(for conversation: ModelConversation, model: String, systemPrompt: String? = nil) -> [UInt8] {
    var request: JSONObject = [
      "model": .string(model), "stream": true, "stream_options": ["include_usage": true],
      "messages": .array(
        [.object(system(conversation, systemPrompt))] + conversation.messages.map { .object(message($0)) }),
    ]
    if !conversation.tools.isEmpty {
      request["tools"] = .array(conversation.tools.map { .object(tool($0)) })
    }
    return JSONValue.object(request).serialized()
  }

  private static func system(_ conversation: ModelConversation, _ prompt: String?) -> JSONObject {
    var text =
      prompt ?? """
        You are a helpful assistant inside an app. Answer in the language of locale '\(conversation.locale)' unless the \
        user writes in another one. Call the tools where they help; they run on the user's device.
        """
    if !conversation.context.isEmpty {
      text += "\nThe app says about itself: \(JSONValue.object(conversation.context).jsonText)"
    }
    return ["role": "system", "content": .string(text)]
  }

  private static func message(_ message: ModelMessage) -> JSONObject {
    switch message {
    case .user(let text):
      return ["role": "user", "content": .string(text)]
    case .assistant(let text, let calls):
      var object: JSONObject = ["role": "assistant", "content": text.isEmpty && !calls.isEmpty ? .null : .string(text)]
      if !calls.isEmpty {
        object["tool_calls"] = .array(
          calls.map { call in
            [
              "id": .string(call.id), "type": "function",
              "function": [
                "name": .string(call.name), "arguments": .string(call.arguments.jsonText),
              ],
            ]
          })
      }
      return object
    case .toolResult(let callID, _, let content):
      return ["role": "tool", "tool_call_id": .string(callID), "content": .string(content)]
    }
  }

  private static func tool(_ tool: ModelTool) -> JSONObject {
    [
      "type": "function",
      "function": [
        "name": .string(tool.name), "description": .string(tool.description),
        "parameters": .object(tool.parametersSchema),
      ],
    ]
  }
}
