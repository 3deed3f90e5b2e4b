import EventStream
import ResolveKitCore

/// Reads a streamed chat completion: bytes in, text out at once, tool calls and usage at the end.
struct OpenAIStreamReader {
  private struct Call {
    let index: Int
    var id = ""
    var name = ""
    var arguments = ""
  }

  private var parser = EventStreamParser()
  /// In the order in which they began.
  private var calls: [Call] = []
  private var usage: ModelUsage?
  /// Bytes of text and calls.
  private var answerBytes = 0
  /// Bytes of events, which are many times as long as the token that each brings.
  private var eventBytes = 0
  /// The endpoint's word for the model's end; nil while it continues.
  private var finishReason: String?
  private let answerLimit: Int
  /// Whether the endpoint said that no more comes.
  private(set) var isDone = false
  /// Events until now; comments are none.
  private(set) var eventCount = 0

  private static let callLimit = 64
  private static let eventBytesPerAnswerByte = 256

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
      eventCount += 1
      if event.data == "[DONE]" {
        isDone = true
      } else {
        text += try take(event.data)
      }
    }
    return text
  }

  /// Whether the answer is whole, though the endpoint may not have said that no more comes.
  var isWhole: Bool { isDone || finishReason != nil }

  /// The error for an answer that the endpoint cut off; nil for one that it did not.
  var cutMark: String? {
    switch finishReason {
    case "length": "\n\n[The answer is cut off here: it reached the model's limit of length.]"
    case "content_filter": "\n\n[The answer is cut off here by the model's content filter.]"
    case nil, _?: nil
    }
  }

  /// The calls in the model's order. Throws ``ModelError`` where the stream ended too early or a call has no arguments
  /// object.
  func finish() throws(ModelError) -> ([ModelToolCall], ModelUsage?) {
    guard isWhole else { throw ModelError(.unreachable, "The model's answer ended in its middle.") }
    var finished: [ModelToolCall] = []
    for call in calls.enumerated().sorted(by: { ($0.element.index, $0.offset) < ($1.element.index, $1.offset) }) {
      finished.append(try Self.finished(call.element, finishReason))
    }
    return (finished, usage)
  }

  private static func finished(_ call: Call, _ finishReason: String?) throws(ModelError) -> ModelToolCall {
    let isCut = finishReason == "length"
    let isBlank = call.arguments.allSatisfy(\.isWhitespace)
    do {
      let arguments = try ResolveKitArguments(parsing: isBlank && !isCut ? "{}" : call.arguments)
      return ModelToolCall(id: call.id, name: call.name, arguments: arguments)
    } catch {
      throw ModelError(
        .malformed,
        isCut
          ? "The model reached its limit of length while it called '\(call.name)'; raise that limit at the endpoint."
          : "The model called '\(call.name)' with arguments that cannot be taken: \(error).")
    }
  }

  private mutating func take(_ data: String) throws(ModelError) -> String {
    eventBytes += data.utf8.count
    guard eventBytes / Self.eventBytesPerAnswerByte <= answerLimit else { throw tooLarge }
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
    if let reason = choice["finish_reason"]?.stringValue, !reason.isEmpty { finishReason = reason }
    guard let delta = choice["delta"]?.objectValue else { return "" }
    for (position, part) in (delta["tool_calls"]?.arrayValue ?? []).enumerated() {
      try take(part.objectValue ?? [:], position: position)
    }
    // A model that declines says so in a member of its own.
    let text = (delta["content"]?.stringValue ?? "") + (delta["refusal"]?.stringValue ?? "")
    try count(text)
    return text
  }

  private mutating func count(_ text: String) throws(ModelError) {
    answerBytes += text.utf8.count
    guard answerBytes <= answerLimit else { throw tooLarge }
  }

  private var tooLarge: ModelError {
    ModelError(.malformed, "The model's answer is larger than \(answerLimit) bytes.")
  }

  /// A call comes in parts with one index: name and id in the first, the arguments' text spread over all. Some endpoints
  /// give all calls one index, or none: an id of its own with a name begins a call.
  private mutating func take(_ part: JSONObject, position: Int) throws(ModelError) {
    let function = part["function"]?.objectValue ?? [:]
    let (id, name) = (part["id"]?.stringValue ?? "", function["name"]?.stringValue ?? "")
    try count(id + name)
    let index = part["index"]?.integerValue ?? position
    let place = try self.place(of: index, id: id, name: name)
    if !id.isEmpty { calls[place].id = id }
    if !name.isEmpty { calls[place].name = name }
    switch function["arguments"] {
    case nil, .null: break
    case .string(let text):
      try count(text)
      calls[place].arguments += text
    case .number, .bool, .object, .array:
      throw ModelError(
        .malformed, "The model called '\(calls[place].name)' with arguments that are not a string of JSON.")
    }
  }

  private mutating func place(of index: Int, id: String, name: String) throws(ModelError) -> Int {
    if let known = calls.lastIndex(where: { $0.index == index }),
      id.isEmpty || name.isEmpty || calls[known].id.isEmpty || calls[known].id == id
    {
      return known
    }
    guard calls.count < Self.callLimit else {
      throw ModelError(.malformed, "The model makes more than \(Self.callLimit) calls at once.")
    }
    calls.append(Call(index: index))
    return calls.count - 1
  }
}
