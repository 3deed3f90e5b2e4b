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
  let calls: CallStore
  let pending: PendingCalls
  let settings: BackendSettings
  let faults: BackendFaults
  /// Whether the model may hand the session over to a person.
  let offersEscalation: Bool
  /// Told when the turn begins to wait for a call that a person has to approve, and when that is over.
  let hold: @Sendable (Bool) -> Void

  /// The outcome of a part of the turn: the model's text and calls, given out piece by piece.
  private struct Part {
    var calls: [ModelToolCall] = []
    var usage: ModelUsage?
  }

  /// Runs the turn to `turn_complete`. Throws ``ModelError``, ``TurnError`` or ``ModelEscalation``, and
  /// `CancellationError` when it is stopped; `text` then holds what was said until then.
  ///
  /// - Parameters:
  ///   - earlier: the rounds from before a restart, of which the last may wait for results.
  ///   - text: what was said in them.
  func perform(_ history: [ModelMessage], after earlier: [ModelRound] = [], text: TurnText) async throws {
    var conversation = ModelConversation(
      messages: history, tools: tools, locale: session.locale, context: session.llmContext)
    var usage: ModelUsage?
    var usedIDs = Set(earlier.flatMap(\.calls).map(\.id))
    var room = settings.turns.resultBytes
    for round in earlier {
      usage.add(round.usage)
      conversation.messages += try await exchange(round, &room)
    }
    var number = earlier.count
    while number < max(1, settings.turns.toolRounds) {
      let start = text.current
      let part = try await ask(conversation, text)
      guard !part.calls.isEmpty else {
        usage.add(part.usage)
        return try await complete(text.current, usage)
      }
      if offersEscalation, let escalation = ModelEscalation.named(in: part.calls) { throw escalation }
      let round = self.round(
        number, said: String(text.current.unicodeScalars.dropFirst(start.unicodeScalars.count)),
        Self.withDistinctIDs(part.calls, used: &usedIDs), part.usage)
      try await begin(round)
      usage.add(round.usage)
      conversation.messages += try await exchange(round, &room)
      number += 1
    }
    throw TurnError.tooManyToolRounds
  }

  private var tools: [ModelTool] {
    let own = functions.map {
      ModelTool(name: $0.name, description: $0.description, parametersSchema: $0.parametersSchema)
    }
    return offersEscalation ? own.filter { $0.name != ModelEscalation.toolName } + [ModelEscalation.tool] : own
  }

  private func ask(_ conversation: ModelConversation, _ text: TurnText) async throws -> Part {
    let part = Mutex(Part())
    let isLater = !text.current.isEmpty
    let hasBegun = Mutex(false)
    try await model.reply(to: conversation) { output in
      switch output {
      case .text(let piece):
        let piece = piece.withoutNUL
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

  private func round(
    _ number: Int, said text: String, _ calls: [ModelToolCall], _ usage: ModelUsage?
  ) -> ModelRound {
    var round = ModelRound(number: number, text: text, calls: calls, timeouts: [:], usage: usage)
    for call in calls {
      if let function = function(call) { round.timeouts[call.id] = function.timeoutSeconds }
    }
    return round
  }

  /// On disk before the client is asked: a result may come before this returns, or after a restart.
  private func begin(_ round: ModelRound) async throws {
    try await calls.begin(round, of: turnID)
    let requests = round.calls.compactMap { call in function(call).map { request(call, $0) } }
    if !requests.isEmpty { try await publish(requests.map { .toolCallRequest($0) }) }
  }

  /// Returns a round's addition to the conversation: the results are taken in the calls' order, and a call's time
  /// begins when its turn to be taken comes.
  ///
  /// - Parameter room: bytes that results may have yet.
  private func exchange(_ round: ModelRound, _ room: inout Int) async throws -> [ModelMessage] {
    var messages: [ModelMessage] = [.assistant(text: round.text, toolCalls: round.calls)]
    for call in round.calls {
      var content: String
      if let seconds = round.timeouts[call.id] {
        content = try await result(of: call, within: seconds)
      } else {
        content = Self.error("There is no function named '\(call.name)'.")
      }
      if content.utf8.count > room {
        content = Self.error(
          "The result has \(content.utf8.count) bytes and was left out: a turn's results have at most "
            + "\(settings.turns.resultBytes). Ask for less.")
      } else {
        room -= content.utf8.count
      }
      messages.append(.toolResult(callID: call.id, name: call.name, content: content))
    }
    return messages
  }

  private func result(of call: ModelToolCall, within seconds: Int) async throws -> String {
    let needsApproval = function(call)?.requiresApproval ?? false
    defer { if needsApproval { hold(false) } }
    let outcome = try await pending.outcome(of: key(call), within: .seconds(seconds)) {
      if needsApproval { hold(true) }
    }
    switch outcome {
    case .success(let text): return text
    case .failure(let reason): return Self.error(reason)
    case .timedOut: return Self.error("Function '\(call.name)' timed out after \(seconds)s")
    }
  }

  private func function(_ call: ModelToolCall) -> FunctionRecord? {
    functions.first { $0.name == call.name }
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
      if !(1...255).contains(call.id.unicodeScalars.count) || call.id.utf8.contains(0) || used.contains(call.id) {
        call.id = "call_\(used.count + 1)"
        while used.contains(call.id) { call.id += "_" }
      }
      used.insert(call.id)
      return call
    }
  }
}

extension ModelUsage? {
  fileprivate mutating func add(_ more: ModelUsage?) {
    if let more { self = map { $0 + more } ?? more }
  }
}
