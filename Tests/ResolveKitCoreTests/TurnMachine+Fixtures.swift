@testable import ResolveKitCore

extension TurnMachine {
  /// A machine whose stream (generation 1) is open.
  static func open(policy: TurnPolicy = TurnPolicy()) -> TurnMachine {
    var machine = TurnMachine(policy: policy)
    _ = machine.handle(.startRequested(tools: SimulatedSession.tools))
    _ = machine.handle(.registered)
    _ = machine.handle(.sessionCreated(sessionID: "s", isReused: false))
    _ = machine.handle(.streamOpened(generation: 1, at: 1))
    return machine
  }

  /// A machine with turn "t" of message "r" accepted.
  static func running(policy: TurnPolicy = TurnPolicy()) -> TurnMachine {
    var machine = open(policy: policy)
    _ = machine.handle(.sendRequested(OutgoingMessage(requestID: "r", text: "hi"), at: 1))
    _ = machine.handle(.messageAccepted(requestID: "r", turnID: "t", at: 1))
    return machine
  }
}

extension TurnMachine {
  /// A decision of a person who is shown what is asked now, or, where nothing is asked about that batch, all of its calls.
  ///
  /// - Parameter only: single calls; none for the whole question.
  mutating func decided(
    batchID: Int, _ decision: ApprovalDecision, only keys: [ToolCallKey] = [], at now: MonotonicNanoseconds
  ) -> [TurnAction] {
    let only = keys.isEmpty ? nil : keys.map(\.callID)
    return handle(.approvalDecided(decision, on: shown(batchID), only: only, at: now))
  }

  func shown(_ batchID: Int) -> ResolveKitApprovalRequest {
    if let question, question.batchID == batchID { return question }
    let batch = batches.first { $0.id == batchID }
    return ResolveKitApprovalRequest(
      batchID: batchID, turnID: batch?.turnID ?? "t", calls: batch?.items.map(\.call) ?? [])
  }
}

extension TurnEvent {
  static func event(
    _ id: String, _ type: String, _ payload: JSONObject, turn: String? = "t", request: String? = "r",
    at now: MonotonicNanoseconds = 2, generation: Int = 1
  ) -> TurnEvent {
    let envelope = ResolveKitEnvelope(eventID: id, turnID: turn, requestID: request, type: type, payload: payload)
    return .streamEvent(
      StreamEvent(generation: generation, id: id, type: type, data: envelope.json.jsonText, arrivedAt: now))
  }

  static func call(
    _ id: String, _ callID: String, _ function: String, arguments: JSONObject = [:], timeout: Int = 30,
    at now: MonotonicNanoseconds = 2
  ) -> TurnEvent {
    event(
      id, "tool_call_request",
      [
        "call_id": .string(callID), "function_name": .string(function), "arguments": .object(arguments),
        "timeout_seconds": .number(Double(timeout)),
      ], at: now)
  }
}

extension [TurnAction] {
  var results: [TurnResult] { compactMap { if case .turnFinished(let result) = $0 { result } else { nil } } }

  var started: [String] { compactMap { if case .startTool(let call) = $0 { call.key.callID } else { nil } } }

  var delivered: [ResolveKitToolResultPayload] {
    compactMap { if case .deliverResult(_, let payload) = $0 { payload } else { nil } }
  }

  var asked: [ResolveKitApprovalRequest] {
    compactMap { if case .askApproval(let question) = $0 { question } else { nil } }
  }

  var refusals: [ResolveKitDecisionRefusal] {
    compactMap { if case .note(.refusedDecision(let refusal)) = $0 { refusal } else { nil } }
  }
}
