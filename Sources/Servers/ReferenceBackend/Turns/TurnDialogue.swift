import ResolveKitCore

/// The state of a turn: the conversation with the model, the text for the client, and the rest of the limits.
struct TurnDialogue: Equatable, Sendable {
  private(set) var conversation: ModelConversation
  private(set) var text = ""
  private(set) var usage: ModelUsage?
  private let rules: TurnRules
  private let functions: [FunctionRecord]
  private var usedIDs: Set<String> = []
  /// Bytes that results may have yet.
  private var room: Int
  /// Rounds that were made.
  private var rounds = 0
  private var parts = 0
  /// Rounds from before a restart whose results are yet to be taken.
  private var earlier: ArraySlice<ModelRound> = []
  /// Results of the round that is being taken.
  private var results: [ModelMessage] = []

  init(_ material: TurnMaterial, _ rules: TurnRules) {
    self.rules = rules
    functions = material.functions
    room = rules.limits.resultBytes
    let own = functions.map {
      ModelTool(name: $0.name, description: $0.description, parametersSchema: $0.parametersSchema)
    }
    conversation = ModelConversation(
      messages: material.history.map { message in
        message.role == MessageRecord.userRole
          ? .user(message.content) : .assistant(text: message.content, toolCalls: [])
      },
      tools: rules.offersEscalation
        ? own.filter { $0.name != ModelEscalation.toolName } + [ModelEscalation.tool] : own,
      locale: material.session.locale, context: material.session.llmContext)
  }

  /// Takes up the rounds from before a restart; returns the first of them.
  mutating func resume(_ rounds: [ModelRound]) -> ToolExchange? {
    text = rounds.map(\.text).joined()
    usedIDs = Set(rounds.flatMap(\.calls).map(\.id))
    for round in rounds { count(round.usage) }
    self.rounds = rounds.count
    earlier = rounds[...]
    return earlier.popFirst().map { ToolExchange($0) }
  }

  /// The next part to ask the model for; nil where it has called tools too often.
  mutating func nextPart() -> ModelPart? {
    guard rounds < max(1, rules.limits.toolRounds) else { return nil }
    defer { parts += 1 }
    return ModelPart(number: parts, start: text.unicodeScalars.count)
  }

  /// Adds to the text; false where it would be too long.
  mutating func say(_ delta: String) -> Bool {
    guard text.utf8.count + delta.utf8.count <= rules.limits.answerBytes else { return false }
    text += delta
    return true
  }

  mutating func count(_ more: ModelUsage?) {
    if let more { usage = usage.map { $0 + more } ?? more }
  }

  /// The round that a part's calls make.
  mutating func round(_ part: ModelPart) -> ModelRound {
    var round = ModelRound(
      number: rounds, text: String(text.unicodeScalars.dropFirst(part.start)), calls: withDistinctIDs(part.calls),
      timeouts: [:], usage: part.usage)
    for call in round.calls { round.timeouts[call.id] = function(call)?.timeoutSeconds }
    rounds += 1
    return round
  }

  /// The events that ask the client for a round's calls.
  func requests(_ round: ModelRound) -> [EventEntry] {
    round.calls.compactMap { call in
      function(call).map { function in
        EventEntry(
          .toolCallRequest(
            ToolCallRequest(
              callID: call.id, functionName: call.name, arguments: call.arguments,
              timeoutSeconds: function.timeoutSeconds, humanDescription: HumanDescription.of(call, function),
              requiresApproval: function.requiresApproval)))
      }
    }
  }

  func function(_ call: ModelToolCall) -> FunctionRecord? { functions.first { $0.name == call.name } }

  /// Takes a call's outcome for the model.
  mutating func take(_ outcome: CallOutcome, of call: ModelToolCall, seconds: Int) {
    switch outcome {
    case .success(let text): take(content: text, of: call)
    case .failure(let reason): take(reason, of: call)
    case .timedOut: take("Function '\(call.name)' timed out after \(seconds)s", of: call)
    }
  }

  /// Takes the reason for which a call has no result.
  mutating func take(_ reason: String, of call: ModelToolCall) { take(content: Self.error(reason), of: call) }

  private mutating func take(content: String, of call: ModelToolCall) {
    var content = content
    if content.utf8.count > room {
      content = Self.error(
        "The result has \(content.utf8.count) bytes and was left out: a turn's results have at most "
          + "\(rules.limits.resultBytes). Ask for less.")
    } else {
      room -= content.utf8.count
    }
    results.append(.toolResult(callID: call.id, name: call.name, content: content))
  }

  /// A round has all its results; returns the next one from before a restart.
  mutating func finish(_ exchange: ToolExchange) -> ToolExchange? {
    conversation.messages.append(.assistant(text: exchange.round.text, toolCalls: exchange.round.calls))
    conversation.messages += results
    results = []
    return earlier.popFirst().map { ToolExchange($0) }
  }

  private static func error(_ reason: String) -> String {
    JSONValue.object(["error": .string(reason)]).jsonText
  }

  /// Models leave ids out or use them again; results are matched by id, so each call of a turn gets one of its own.
  private mutating func withDistinctIDs(_ calls: [ModelToolCall]) -> [ModelToolCall] {
    calls.map { call in
      var call = call
      if !(1...255).contains(call.id.unicodeScalars.count) || call.id.utf8.contains(0) || usedIDs.contains(call.id) {
        call.id = "call_\(usedIDs.count + 1)"
        while usedIDs.contains(call.id) { call.id += "_" }
      }
      usedIDs.insert(call.id)
      return call
    }
  }
}
