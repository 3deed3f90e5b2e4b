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
    guard let request = ResolveKitToolCallRequest(envelope) else {
      return note(.poisonEvent(id: eventID ?? "", reason: "a call without a function name"))
    }
    if let known = ledger[key] { return callRepeated(known, request, eventID: eventID, at: now) }
    admit(request, as: key, arrivedAt: now, isCancelled: cancelled != nil, at: now)
  }

  /// Decides what becomes of a call that has no place in the ledger yet.
  mutating func admit(
    _ request: ResolveKitToolCallRequest, as key: ToolCallKey, arrivedAt: MonotonicNanoseconds,
    isCancelled: Bool = false, at now: MonotonicNanoseconds
  ) {
    let tool = tool(named: request.functionName)
    let asks = tool.map { $0.requiresApproval || request.requiresApproval == true } ?? true
    let call = ToolCall(key: key, request: request, requiresApproval: asks, arrivedAt: arrivedAt)
    guard ledger.insert(call, &effects) else { return note(.ignored("call \(key.callID): too many calls are open")) }
    if isCancelled { return refuseCancelled(key, at: now) }
    join(call, at: now)
    guard let tool else {
      let error = "Unknown function: \(request.functionName)"
      return record(key, .failure(error), .failed(error))
    }
    if let fault = request.argumentsFault {
      let error = ResolveKitFunctionError.invalidArguments("\(fault). The tool was not run.").description
      return record(key, .failure(error), .failed(error))
    }
    slots.enter(key, serialKey: tool.serialKey)
    if rules.verdict(on: tool) == .deny {
      deny(key, at: now)
    } else if asks {
      emit(.consultPolicy(call))
    } else {
      approve(key, at: now)
    }
    startTools(at: now)
    // One that has started or ended was shown by that.
    if ledger[key]?.status == .pendingApproval { emitStatus(of: key) }
  }

  /// The function of exactly these bytes: a name that is only canonically equivalent is another name.
  func tool(named name: String) -> ToolPolicy? {
    tools[name].flatMap { $0.name.hasSameBytes(as: name) ? $0 : nil }
  }

  private mutating func join(_ call: ToolCall, at now: MonotonicNanoseconds) {
    let place = desk.add(call.key, at: now, window: policy.batchWindow, limit: policy.maximumBatchSize)
    scheduleCallDeadlines(turnID: call.key.turnID)
    // A full batch has nothing to wait for but the policy's word on its last call.
    let end = place.isFull ? now : now.advanced(byNanoseconds: policy.batchWindow)
    if place.isFull || place.isNew { emit(.scheduleDeadline(.batchWindow(batchID: place.id), at: end)) }
    if place.isNew { endWindows(before: place.id, at: now) }
  }

  private mutating func scheduleCallDeadlines(turnID: String) {
    for change in ledger.recomputeDeadlines(turnID: turnID) {
      emit(.scheduleDeadline(.toolCall(change.key), at: change.deadline))
    }
  }

  /// Answers a call id that was used before in the turn, in an event of its own; a call id starts at most one tool.
  ///
  /// The same call gets the same result, under an idempotency key of its own: a backend that asks again has taken the first
  /// result, or lost it, and drops in either case what comes under the old key. While the first call has no result, the
  /// same again is a duplicate. Another call under the same id is answered with an error.
  private mutating func callRepeated(
    _ known: ToolLedger.Entry, _ request: ResolveKitToolCallRequest, eventID: String?, at now: MonotonicNanoseconds
  ) {
    let key = known.call.key
    note(.repeatedCall(key))
    let isSame = known.call.request.isSame(as: request)
    guard let eventID, !(isSame && known.isUnfinished) else { return }
    let repetition = ToolCallKey(turnID: key.turnID, callID: key.callID, repetition: eventID)
    let call = ToolCall(key: repetition, request: request, requiresApproval: false, arrivedAt: now)
    guard ledger[repetition] == nil, ledger.insert(call, &effects) else { return }
    if isSame, case .recorded(let payload, _) = known.progress {
      let status = known.isResultForgotten ? payload.error.map { ToolCallItemStatus.failed($0) } : nil
      record(repetition, payload.outcome, status ?? known.status)
    } else {
      let error = "The call id was used before in this turn, so the tool was not run. Call again under a new id."
      record(repetition, .failure(error), .failed(error))
    }
  }

  /// Starts approved calls in order of arrival while places are free. A call past its deadline never starts.
  mutating func startTools(at now: MonotonicNanoseconds) {
    while let key = nextStart(), let entry = ledger[key] {
      guard now < entry.deadline else {
        expire(key, at: now, because: "Timed out")
        continue
      }
      slots.hold(key)
      ledger.update(key, &effects) {
        $0.progress = .running
        $0.status = .running
        $0.startedAt = now
      }
      scheduleCallDeadlines(turnID: key.turnID)
      emitStatus(of: key)
      emit(.startTool(entry.call))
    }
  }

  private mutating func nextStart() -> ToolCallKey? {
    let ledger = ledger
    return slots.next(
      limit: policy.maximumRunningTools, isOpen: { ledger[$0]?.isUnfinished ?? false },
      isReady: { ledger[$0]?.progress == .approved })
  }

  /// The tool's body has returned, in time or not.
  mutating func toolFinished(_ key: ToolCallKey, _ outcome: ToolOutcome, at now: MonotonicNanoseconds) {
    slots.release(key)
    if ledger[key]?.progress == .running {
      switch outcome {
      case .success: record(key, outcome, .completed)
      case .failure(let error): record(key, outcome, .failed(error))
      }
    } else {
      note(.lateOutcome(key))
    }
    startTools(at: now)
  }

  mutating func callDeadlinePassed(_ key: ToolCallKey, at now: MonotonicNanoseconds) {
    guard let entry = ledger[key], entry.isUnfinished else { return }
    guard now >= entry.deadline else { return emit(.scheduleDeadline(.toolCall(key), at: entry.deadline)) }
    expire(key, at: now, because: "Timed out")
    startTools(at: now)
    askNextBatch()
  }

  mutating func expire(_ key: ToolCallKey, at now: MonotonicNanoseconds, because reason: String) {
    guard let entry = ledger[key] else { return }
    let error = "Timed out after \(entry.call.request.timeoutSeconds)s"
    ledger.update(key, &effects) { $0.settledAt = $0.deadline }
    switch entry.progress {
    case .running:
      emit(.cancelTool(key))
      record(key, .failure(error), .failed(error))
    case .approved:
      record(key, .failure(error), .cancelled("Timed out: no place to run it came free"))
    case .waiting, .recorded:
      record(key, .failure(error), .cancelled(reason))
    }
  }

  mutating func refuseCancelled(_ key: ToolCallKey, at now: MonotonicNanoseconds) {
    if ledger[key]?.progress == .running { emit(.cancelTool(key)) }
    record(key, .failure("Cancelled by the user"), .cancelled("Cancelled by the user"))
  }

  mutating func settled(_ key: ToolCallKey) { scheduleCallDeadlines(turnID: key.turnID) }
}
