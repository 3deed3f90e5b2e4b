import EventStream
import ResolveKitCore

/// Reads a streamed chat completion: bytes in, text out at once, tool calls and usage at the end.
struct OpenAIStreamReader {
  private struct Call {
    var id = ""
    var name = ""
    var arguments = ""
  }

  private var parser = EventStreamParser()
  private var calls: [Int: Call] = [:]
  private var usage: ModelUsage?
  private var received = 0
  private var hasFinishReason = false
  private let answerLimit: Int
  /// Whether the endpoint said that no more comes.
  private(set) var isDone = false

  private static let callLimit = 64

  init(answerLimit: Int) {
    self.answerLimit = answerLimit
  }

  /// The text in `bytes`. Throws ``ModelError``.
  mutating func read(_ bytes: [UInt8]) throws(ModelError) -> String {
    var text = ""
    let items: [EventStreamItem]
    do {
      items = try parser.parse(bytes)
    } catch {
      throw ModelError(.malformed, "The model's event stream is malformed: \(error).", cause: error)
    }
    for item in items {
      guard case .event(let event) = item, !isDone else { continue }
      if event.data == "[DONE]" {
        isDone = true
      } else {
        text += try take(event.data)
      }
    }
    return text
  }

  /// The calls in the model's order. Throws ``ModelError`` where the stream ended too early or a call has no arguments
  /// object.
  func finish() throws(ModelError) -> ([ModelToolCall], ModelUsage?) {
    guard isDone || hasFinishReason else { throw ModelError(.unreachable, "The model's answer ended in its middle.") }
    var finished: [ModelToolCall] = []
    for (_, call) in calls.sorted(by: { $0.key < $1.key }) {
      let text = call.arguments.isEmpty ? "{}" : call.arguments
      guard let arguments = (try? JSONValue(parsing: text))?.objectValue else {
        throw ModelError(.malformed, "The model called '\(call.name)' with arguments that are no JSON object.")
      }
      finished.append(ModelToolCall(id: call.id, name: call.name, arguments: arguments))
    }
    return (finished, usage)
  }

  private mutating func take(_ data: String) throws(ModelError) -> String {
    received += data.utf8.count
    guard received <= answerLimit else {
      throw ModelError(.malformed, "The model's answer is larger than \(answerLimit) bytes.")
    }
    guard let chunk = (try? JSONValue(parsing: data))?.objectValue else {
      throw ModelError(.malformed, "The model sent an event that is no JSON object.")
    }
    if let error = chunk["error"]?.objectValue {
      throw ModelError(.unreachable, "The model failed: \(error["message"]?.stringValue ?? "no reason given")")
    }
    if let counts = chunk["usage"]?.objectValue {
      usage = ModelUsage(
        promptTokens: counts["prompt_tokens"]?.integerValue ?? 0,
        completionTokens: counts["completion_tokens"]?.integerValue ?? 0)
    }
    // With `include_usage` the last chunk has no choice at all.
    guard let choice = chunk["choices"]?.arrayValue?.first?.objectValue else { return "" }
    if choice["finish_reason"]?.stringValue != nil { hasFinishReason = true }
    guard let delta = choice["delta"]?.objectValue else { return "" }
    for (position, part) in (delta["tool_calls"]?.arrayValue ?? []).enumerated() {
      try take(part.objectValue ?? [:], position: position)
    }
    return delta["content"]?.stringValue ?? ""
  }

  /// A call comes in parts with one index: name and id in the first, the arguments' text spread over all.
  private mutating func take(_ part: JSONObject, position: Int) throws(ModelError) {
    let index = part["index"]?.integerValue ?? position
    guard calls[index] != nil || calls.count < Self.callLimit else {
      throw ModelError(.malformed, "The model makes more than \(Self.callLimit) calls at once.")
    }
    var call = calls[index] ?? Call()
    if let id = part["id"]?.stringValue, !id.isEmpty { call.id = id }
    let function = part["function"]?.objectValue ?? [:]
    if let name = function["name"]?.stringValue, !name.isEmpty { call.name = name }
    call.arguments += function["arguments"]?.stringValue ?? ""
    calls[index] = call
  }
}
