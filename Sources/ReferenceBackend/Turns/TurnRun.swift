import Logging
import ResolveKitCore
import Synchronization

/// One turn from its message to its terminal event.
struct TurnRun: Sendable {
  let turnID: String
  let requestID: String
  let session: SessionRecord
  let functions: [FunctionRecord]
  let model: any ModelAdapter
  let publisher: EventPublisher
  let turns: TurnStore
  let pending: PendingCalls
  let settings: BackendSettings
  let faults: BackendFaults
  let clock: any Clock<Duration>
  let logger: Logger

  /// What a part of the turn came to: the model's text and calls, given out piece by piece.
  private struct Part {
    var calls: [ModelToolCall] = []
    var usage: ModelUsage?
  }

  /// Runs the turn to `turn_complete`. Throws ``ModelError`` or ``TurnError``, and `CancellationError` when it is
  /// stopped; `text` then holds what was said until then.
  func perform(_ history: [ModelMessage], text: TurnText) async throws {
    var conversation = ModelConversation(
      messages: history, tools: tools, locale: session.locale, context: session.llmContext)
    var usage: ModelUsage?
    var usedIDs: Set<String> = []
    for _ in 0..<max(1, settings.turns.toolRounds) {
      let start = text.current
      let part = try await ask(conversation, text)
      if let more = part.usage { usage = usage.map { $0 + more } ?? more }
      guard !part.calls.isEmpty else { return try await complete(text.current, usage) }
      let calls = Self.withDistinctIDs(part.calls, used: &usedIDs)
      conversation.messages.append(
        .assistant(text: String(text.current.dropFirst(start.count)), toolCalls: calls))
      conversation.messages += try await run(calls)
    }
    throw TurnError.tooManyToolRounds
  }

  private var tools: [ModelTool] {
    functions.map {
      ModelTool(name: $0.name, description: $0.description, parametersSchema: $0.parametersSchema)
    }
  }

  private func ask(_ conversation: ModelConversation, _ text: TurnText) async throws -> Part {
    let part = Mutex(Part())
    let isLater = !text.current.isEmpty
    let hasBegun = Mutex(false)
    try await model.reply(to: conversation) { output in
      switch output {
      case .text(let piece):
        guard !piece.isEmpty else { return }
        let begins = hasBegun.withLock { hasBegun in
          defer { hasBegun = true }
          return !hasBegun
        }
        // A model begins each part anew: without a break its sentences would run into those before the tool call.
        let needsBreak = begins && isLater && !(text.current.last?.isWhitespace ?? true)
        try await say(needsBreak ? "\n\n" + piece : piece, text)
      case .toolCalls(let calls):
        part.withLock { $0.calls += calls }
      case .usage(let usage):
        part.withLock { $0.usage = usage }
      }
    }
    return part.withLock { $0 }
  }

  private func say(_ delta: String, _ text: TurnText) async throws {
    try Task.checkCancellation()
    let accumulated = try text.append(delta, limit: settings.turns.answerBytes)
    guard settings.streamsText else { return }
    try await publish([.assistantTextDelta(delta: delta, accumulated: accumulated)])
  }

  /// The answer is kept before the event says that it is whole: who has seen the event finds it in the history.
  private func complete(_ text: String, _ usage: ModelUsage?) async throws {
    if !text.isEmpty { try await turns.keepAnswer(text, sessionID: session.id, now: publisher.now()) }
    guard !faults.takeSilentEnd() else { return }
    let end = EventPayload.turnComplete(fullText: text, usage: usage)
    try await publish(settings.asksForFeedback ? [end, .feedbackRequested(immediate: false)] : [end])
  }

  /// Asks for all calls at once and takes the results in order; a call's time begins when its turn to be taken comes.
  private func run(_ calls: [ModelToolCall]) async throws -> [ModelMessage] {
    let known = calls.compactMap { call in functions.first { $0.name == call.name }.map { (call, $0) } }
    for (call, _) in known { pending.expect(key(call)) }
    if !known.isEmpty { try await publish(known.map { .toolCallRequest(request($0, $1)) }) }
    var results: [ModelMessage] = []
    for call in calls {
      let content: String
      if let function = functions.first(where: { $0.name == call.name }) {
        content = try await result(of: call, function)
      } else {
        content = Self.error("There is no function named '\(call.name)'.")
      }
      results.append(.toolResult(callID: call.id, name: call.name, content: content))
    }
    return results
  }

  private func result(of call: ModelToolCall, _ function: FunctionRecord) async throws -> String {
    let limit = Duration.seconds(function.timeoutSeconds)
    let outcome = await pending.outcome(of: key(call), within: limit, clock: clock)
    try Task.checkCancellation()
    switch outcome {
    case .success(let text): return text
    case .failure(let reason): return Self.error(reason)
    case nil: return Self.error("Function '\(function.name)' timed out after \(function.timeoutSeconds)s")
    }
  }

  private func request(_ call: ModelToolCall, _ function: FunctionRecord) -> ToolCallRequest {
    ToolCallRequest(
      callID: call.id, functionName: call.name, arguments: call.arguments, timeoutSeconds: function.timeoutSeconds,
      humanDescription: HumanDescription.of(call, function), requiresApproval: function.requiresApproval)
  }

  private func key(_ call: ModelToolCall) -> CallKey {
    CallKey(sessionID: session.id, turnID: turnID, callID: call.id)
  }

  private func publish(_ payloads: [EventPayload]) async throws {
    try await publisher.publish(payloads, sessionID: session.id, turnID: turnID, requestID: requestID)
  }

  private static func error(_ reason: String) -> String {
    JSONValue.object(["error": .string(reason)]).jsonText
  }

  /// Models leave ids out or use them again; results are matched by id, so each call of a turn gets one of its own.
  private static func withDistinctIDs(_ calls: [ModelToolCall], used: inout Set<String>) -> [ModelToolCall] {
    calls.map { call in
      var call = call
      if !(1...255).contains(call.id.unicodeScalars.count) || used.contains(call.id) {
        call.id = "call_\(used.count + 1)"
        while used.contains(call.id) { call.id += "_" }
      }
      used.insert(call.id)
      return call
    }
  }
}
