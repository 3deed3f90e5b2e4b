// Results: recorded once, delivered until the backend has the last word.
extension TurnMachine {
  /// Fixes the result of a call. Whatever happens later, this is what is delivered.
  mutating func record(_ key: ToolCallKey, _ outcome: ToolOutcome, _ status: ToolCallItemStatus) {
    guard let entry = ledger[key], entry.isUnfinished else { return }
    var final = status
    let payload: ResolveKitToolResultPayload
    switch outcome {
    case .failure(let error):
      payload = self.payload(key, error: error)
    case .success(let value):
      if let objection = objection(to: value) {
        final = .failed(objection)
        payload = self.payload(key, error: objection)
      } else {
        payload = ResolveKitToolResultPayload(
          turnID: key.turnID, idempotencyKey: Self.idempotencyKey(of: key), callID: key.callID, status: .success,
          result: value.cut(toBytes: policy.maximumResultBytes))
      }
    }
    let mayDeliver = link.state.carriesRequests
    ledger.update(key, &effects) {
      $0.progress = .recorded(payload, mayDeliver ? .inFlight(attempt: 1) : .paused(attempt: 0))
      $0.status = final
    }
    emit(.cancelDeadline(.toolCall(key)))
    emitStatus(of: key)
    if mayDeliver { emit(.deliverResult(key, payload)) }
  }

  private func payload(_ key: ToolCallKey, error: String) -> ResolveKitToolResultPayload {
    ResolveKitToolResultPayload(
      turnID: key.turnID, idempotencyKey: Self.idempotencyKey(of: key), callID: key.callID, status: .error,
      error: error)
  }

  private static func idempotencyKey(of key: ToolCallKey) -> String {
    guard let repetition = key.repetition else { return key.callID }
    let scalars = "\(repetition)#\(key.callID)".unicodeScalars.prefix(ResolveKitToolResultPayload.maximumKeyLength)
    return String(String.UnicodeScalarView(scalars))
  }

  /// Why a tool's value cannot be sent.
  private func objection(to value: JSONValue) -> String? {
    guard value.isNestedDeeper(than: JSONValue.maximumDepth) else { return nil }
    return "The tool's result is nested deeper than \(JSONValue.maximumDepth) levels."
  }

  mutating func settle(_ key: ToolCallKey, _ delivery: ResultDelivery, at now: MonotonicNanoseconds) {
    guard let entry = ledger[key], case .recorded(let payload, let state) = entry.progress else { return }
    if case .settled = state { return }
    ledger.update(key, &effects) {
      $0.progress = .recorded(payload, .settled(delivery))
      $0.settledAt = $0.settledAt ?? now
    }
    emit(.cancelDeadline(.resultRetry(key)))
    emit(.resultSettled(key, delivery))
    settled(key)
    if let current = turn, current.turnID?.hasSameBytes(as: key.turnID) ?? false {
      turn?.lastActivity = max(current.lastActivity, now)
    }
  }

  mutating func resultFailed(_ key: ToolCallKey, _ failure: RequestFailure, at now: MonotonicNanoseconds) {
    guard let entry = ledger[key], case .recorded(let payload, .inFlight(let attempt)) = entry.progress else { return }
    switch failure.kind {
    case .transient where !link.state.carriesRequests:
      // It goes out with the next stream; a stopped machine leaves no deadline behind.
      ledger.update(key, &effects) { $0.progress = .recorded(payload, .paused(attempt: attempt)) }
    case .transient:
      guard attempt < policy.resultAttempts, !finishedTurns.contains(key.turnID) else {
        return settle(key, .abandoned, at: now)
      }
      ledger.update(key, &effects) { $0.progress = .recorded(payload, .paused(attempt: attempt)) }
      let seconds = max(min(1 << min(attempt - 1, 5), 30), failure.retryAfterSeconds ?? 0)
      note(.retrying("result of call \(key.callID) in \(seconds) s: \(failure)"))
      emit(.scheduleDeadline(.resultRetry(key), at: now.advanced(bySeconds: seconds)))
    case .sessionRefused where (failure.status == 401 || failure.status == 403) && !entry.sessionWasRenewed:
      ledger.update(key, &effects) {
        $0.progress = .recorded(payload, .paused(attempt: attempt))
        $0.sessionWasRenewed = true
      }
      link.renewSession(failure, &effects)
    case .sessionRefused, .conflict, .final:
      // 404: the backend has stopped waiting. A later "deduplicated" would prove nothing, so it is not tried again.
      settle(key, .refused(failure), at: now)
    }
  }

  mutating func retryResult(_ key: ToolCallKey) {
    guard link.state.carriesRequests, let entry = ledger[key],
      case .recorded(let payload, .paused(let attempt)) = entry.progress
    else { return }
    ledger.update(key, &effects) { $0.progress = .recorded(payload, .inFlight(attempt: attempt + 1)) }
    emit(.cancelDeadline(.resultRetry(key)))
    emit(.deliverResult(key, payload))
  }

  /// The stream is open again: what could not be delivered is tried at once.
  mutating func redeliverResults() {
    for key in ledger.undelivered { retryResult(key) }
  }

  /// The connection has ended, and the backend waits for its calls: those without a result get one, and all go out with
  /// the next stream, should the session be the same.
  mutating func keepResults(reason: String) {
    for key in ledger.unfinished(turnID: nil) {
      if ledger[key]?.progress == .running { emit(.cancelTool(key)) }
      record(key, .failure(reason), .cancelled(reason))
    }
    for key in ledger.undelivered { emit(.cancelDeadline(.resultRetry(key))) }
    askNextBatch()
  }

  /// Nobody waits for these calls any more; of one turn, whose results on their way keep their answer, or of all for nil.
  mutating func abandonCalls(of turnID: String?, reason: String) {
    for key in ledger.unfinished(turnID: turnID) {
      let wasRunning = ledger[key]?.progress == .running
      let payload = payload(key, error: reason)
      ledger.update(key, &effects) {
        $0.progress = .recorded(payload, .settled(.abandoned))
        $0.status = .cancelled(reason)
        $0.settledAt = $0.call.arrivedAt
      }
      emit(.cancelDeadline(.toolCall(key)))
      if wasRunning { emit(.cancelTool(key)) }
      emitStatus(of: key)
      emit(.resultSettled(key, .abandoned))
    }
    for key in ledger.undelivered where turnID.map({ $0.hasSameBytes(as: key.turnID) }) ?? true {
      guard let entry = ledger[key], case .recorded(let payload, let delivery) = entry.progress else { continue }
      if case .inFlight = delivery, turnID != nil { continue }
      emit(.cancelDeadline(.resultRetry(key)))
      ledger.update(key, &effects) { $0.progress = .recorded(payload, .settled(.abandoned)) }
      emit(.resultSettled(key, .abandoned))
    }
    askNextBatch()
  }
}
