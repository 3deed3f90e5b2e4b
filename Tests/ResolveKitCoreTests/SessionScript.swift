@testable import ResolveKitCore

/// A backend's log for one turn, and the places where it waits for a tool's result.
struct SessionScript: Sendable {
  enum Step: Sendable {
    case event(id: String, type: String, data: String)
    case awaitResult(callID: String)
    /// A wait for the message: earlier entries were in the log before it, from another turn of the session.
    case awaitMessage
  }

  var steps: [Step] = []
  var turnID = "turn-1"
  var requestID = "request-1"
  var fullText = ""
  /// The stored messages of a session that is taken up from before; nil for a new one.
  var history: [HistoryMessage]?
  var status: TurnResult.Status = .complete
  private var count = 0

  init() {}

  private mutating func nextID() -> String {
    count += 1
    // Neither numbers in order nor of one width: ids are opaque.
    return "\(1000 - count)-\(count % 3)"
  }

  mutating func raw(type: String, data: String) {
    steps.append(.event(id: nextID(), type: type, data: data))
  }

  mutating func event(_ type: String, _ payload: JSONObject, turnID: String? = nil, requestID: String? = nil) {
    let id = nextID()
    let envelope = ResolveKitEnvelope(
      eventID: id, turnID: turnID ?? self.turnID, requestID: requestID ?? self.requestID,
      timestamp: "2026-11-21T02:10:29.961756+00:00", type: type, payload: payload)
    steps.append(.event(id: id, type: type, data: envelope.json.jsonText))
  }

  mutating func delta(_ text: String) {
    fullText += text
    event("assistant_text_delta", ["delta": .string(text), "accumulated": .string(fullText)])
  }

  mutating func call(_ callID: String, _ function: String, timeout: Int = 30, approval: Bool? = nil) {
    var payload: JSONObject = [
      "call_id": .string(callID), "function_name": .string(function), "arguments": ["n": 1],
      "timeout_seconds": .number(Double(timeout)), "human_description": "Do it",
    ]
    payload["requires_approval"] = approval.map { .bool($0) }
    event("tool_call_request", payload)
  }

  mutating func await(_ callID: String) { steps.append(.awaitResult(callID: callID)) }

  mutating func awaitMessage() { steps.append(.awaitMessage) }

  mutating func complete() {
    event("turn_complete", ["full_text": .string(fullText), "usage": ["prompt_tokens": 1, "completion_tokens": 2]])
  }

  /// Text in several scripts, two rounds of tools, foreign events, an unknown one and a poisoned one.
  static let rich: SessionScript = {
    var script = SessionScript()
    script.event("human_message", ["text": "hello from a person"], turnID: "x", requestID: "y")
    script.delta("Let me loo")
    script.delta("k: e")
    script.delta("\u{301} 😀\r\n")
    script.call("call-a", "auto")
    script.call("call-b", "asks")
    script.await("call-a")
    script.event("brand_new_kind", ["a": [1, 2]])
    script.await("call-b")
    script.raw(type: "assistant_text_delta", data: "{\"broken\":")
    script.event("tool_call_request", ["call_id": "call-a", "function_name": "auto"], turnID: "z", requestID: "z")
    script.delta("done \u{1F1E9}\u{1F1EA}")
    script.call("call-c", "auto")
    script.await("call-c")
    script.delta(".")
    script.complete()
    script.event("feedback_requested", ["immediate": false])
    return script
  }()

  static let short: SessionScript = {
    var script = SessionScript()
    script.delta("Hé")
    script.call("c", "auto")
    script.await("c")
    script.delta("llo 😀")
    script.complete()
    return script
  }()
}
