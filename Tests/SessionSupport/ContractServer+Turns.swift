import ResolveKitCore

/// The events of a turn, as a backend writes them.
extension ContractServer {
  /// Streams an answer word by word after what was streamed `after`, and completes the turn with the whole text.
  package func streamAnswer(turn: String, request: String, _ words: [String], after: String = "") {
    var accumulated = after
    for word in words {
      accumulated += word
      append(
        turn: turn, request: request, type: "assistant_text_delta",
        payload: ["delta": .string(word), "accumulated": .string(accumulated)])
    }
    append(
      turn: turn, request: request, type: "turn_complete", payload: ["full_text": .string(accumulated), "usage": nil])
  }

  /// Requests a call of `tool` with `key` as its argument, under the id `call-<key>`; `timeout` is in seconds.
  package func requestCall(turn: String, request: String, tool: String, key: String, timeout: Int = 30) {
    append(
      turn: turn, request: request, type: "tool_call_request",
      payload: [
        "call_id": .string("call-\(key)"), "function_name": .string(tool), "arguments": ["key": .string(key)],
        "timeout_seconds": .number(Double(timeout)), "human_description": "A test's call.", "requires_approval": false,
      ])
  }
}
