// Calls: from the event to the start of the tool.
extension TurnMachine {
  mutating func toolCallRequested(_ envelope: ResolveKitEnvelope, eventID: String?, at now: MonotonicNanoseconds) {
    let callID = envelope.payload["call_id"]?.stringValue ?? ""
    let isOurs = adopts(envelope, at: now)
    let cancelled = isOurs ? nil : abandoned.first { $0.owns(envelope) }
    guard let owner = isOurs ? turn?.reference : cancelled else {
      return note(.foreignCall(ToolCallKey(turnID: envelope.turnID ?? "", callID: callID)))
    }
    let key = ToolCallKey(turnID: envelope.turnID ?? owner.turnID ?? owner.requestID, callID: callID)
    // 422 for ever: the backend takes 1 to 255 characters.
    guard !callID.isEmpty, callID.unicodeScalars.count <= ResolveKitToolResultPayload.maximumKeyLength else {
      return note(.unanswerableCall(key))
    }
    guard let request = ResolveKitToolCallRequest(payload: envelope.payload) else {
      statistics.poisonEvents += 1
      return note(.poisonEvent(id: eventID ?? "", reason: "a call without a function name or without arguments"))
    }
    if let known = ledger[key] { return callRepeated(known, request, eventID: eventID, at: now) }
    let tool = tools[request.functionName]
    let asks = tool.map { $0.requiresApproval || request.requiresApproval == true } ?? true
    let isAllowed = tool.map { desk.allows($0) } ?? false
    let call = ToolCall(key: key, request: request, requiresApproval: asks && !isAllowed, arrivedAt: now)
    guard ledger.insert(call) else { return note(.ignored("call \(callID): too many calls are open")) }
    if cancelled != nil { return refuseCancelled(key, at: now) }
    join(call, at: now)
    guard tool != nil else {
      let error = "Unknown function: \(request.functionName)"
      return record(key, .failure(error), .failed(error), at: now)
    }
    emitStatus(of: key)
    if !call.requiresApproval {
      ledger.update(key) { $0.progress = .approved }
      startTools(at: now)
    }
  }

  private mutating func join(_ call: ToolCall, at now: MonotonicNanoseconds) {
    let (batchID, isNew) = desk.add(call.key, limit: policy.maximumBatchSize)
    if isNew {
      let end = now.advanced(byNanoseconds: policy.batchWindow)
      emit(.scheduleDeadline(.batchWindow(batchID: batchID), at: end))
    }
    scheduleCallDeadlines(turnID: call.key.turnID)
  }

  private mutating func scheduleCallDeadlines(turnID: String) {
    for change in ledger.recomputeDeadlines(turnID: turnID) {
      emit(.scheduleDeadline(.toolCall(change.key), at: change.deadline))
    }
  }

  /// The same call again, in an event of its own: its result is sent again. Another call under the same id is answered
  /// with an error, since a key starts at most one tool.
  private mutating func callRepeated(
    _ known: ToolLedger.Entry, _ request: ResolveKitToolCallRequest, eventID: String?, at now: MonotonicNanoseconds
  ) {
    let key = known.call.key
    note(.repeatedCall(key))
    if known.call.request.functionName == request.functionName, known.call.request.arguments == request.arguments {
      if known.isSettled, case .recorded(let payload, _) = known.progress {
        ledger.update(key) { $0.progress = .recorded(payload, .inFlight(attempt: 1)) }
        emit(.deliverResult(key, payload))
      }
      return
    }
    guard let eventID else { return }
    let repetition = ToolCallKey(turnID: key.turnID, callID: key.callID, repetition: eventID)
    let call = ToolCall(key: repetition, request: request, requiresApproval: false, arrivedAt: now)
    guard ledger[repetition] == nil, ledger.insert(call) else { return }
    let error = "The call id was used before in this turn, so the tool was not run. Call again under a new id."
    record(repetition, .failure(error), .failed(error), at: now)
  }

  /// Starts approved calls in order of arrival while places are free. A call past its deadline never starts.
  mutating func startTools(at now: MonotonicNanoseconds) {
    while ledger.runningCount < policy.maximumRunningTools, let key = ledger.nextApproved,
      let entry = ledger[key]
    {
      guard now < entry.deadline else {
        expire(key, at: now)
        continue
      }
      ledger.update(key) {
        $0.progress = .running
        $0.status = .running
      }
      emitStatus(of: key)
      emit(.startTool(entry.call))
    }
  }

  mutating func toolFinished(_ key: ToolCallKey, _ outcome: ToolOutcome, at now: MonotonicNanoseconds) {
    guard let entry = ledger[key], entry.progress == .running else { return note(.lateOutcome(key)) }
    switch outcome {
    case .success: record(key, outcome, .completed, at: now)
    case .failure(let error): record(key, outcome, .failed(error), at: now)
    }
    startTools(at: now)
  }

  mutating func callDeadlinePassed(_ key: ToolCallKey, at now: MonotonicNanoseconds) {
    guard let entry = ledger[key], entry.isUnfinished else { return }
    guard now >= entry.deadline else { return emit(.scheduleDeadline(.toolCall(key), at: entry.deadline)) }
    expire(key, at: now)
    startTools(at: now)
    askNextBatch()
  }

  private mutating func expire(_ key: ToolCallKey, at now: MonotonicNanoseconds) {
    guard let entry = ledger[key] else { return }
    let error = "Timed out after \(entry.call.request.timeoutSeconds)s"
    ledger.update(key) { $0.settledAt = $0.deadline }
    if entry.progress == .running {
      emit(.cancelTool(key))
      record(key, .failure(error), .failed(error), at: now)
    } else {
      record(key, .failure(error), .cancelled("Timed out"), at: now)
    }
  }

  mutating func refuseCancelled(_ key: ToolCallKey, at now: MonotonicNanoseconds) {
    if ledger[key]?.progress == .running { emit(.cancelTool(key)) }
    record(key, .failure("Cancelled by the user"), .cancelled("Cancelled by the user"), at: now)
  }

  mutating func settled(_ key: ToolCallKey) { scheduleCallDeadlines(turnID: key.turnID) }
}
