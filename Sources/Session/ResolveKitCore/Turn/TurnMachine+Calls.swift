// What concerns the calls together with the turn or the connection.
extension TurnMachine {
  mutating func decide(
    _ decision: ApprovalDecision, on shown: ResolveKitApprovalRequest, only: [String]?, at now: MonotonicNanoseconds
  ) {
    do {
      let keys = try calls.book.calls(under: decision, on: shown, only: only, at: now)
      link.retryStreamNow(&effects)
      calls.decide(decision, on: keys, batchID: shown.batchID, at: moment(now), &effects)
    } catch {
      calls.refuseDecision(error, batchID: shown.batchID, at: moment(now), &effects)
    }
  }

  /// The outcome that a decision would have.
  package func outcome(
    of decision: ApprovalDecision, on shown: ResolveKitApprovalRequest, only: [String]?, at now: MonotonicNanoseconds
  ) -> ResolveKitDecisionOutcome {
    do {
      _ = try calls.book.calls(under: decision, on: shown, only: only, at: now)
      return .counted
    } catch {
      return .refused(error)
    }
  }

  mutating func settle(_ key: ToolCallKey, _ delivery: ResultDelivery, at now: MonotonicNanoseconds) {
    guard calls.book.settle(key, delivery, at: now, &effects) else { return }
    if turn?.turnID?.hasSameBytes(as: key.turnID) ?? false { turn?.silence.excused(at: now) }
  }

  mutating func resultFailed(_ key: ToolCallKey, _ failure: RequestFailure, at now: MonotonicNanoseconds) {
    let isTurnOver = ended.hasFinished(turnID: key.turnID)
    switch calls.book.deliveryFailed(key, failure, isTurnOver: isTurnOver, at: moment(now), &effects) {
    case .waits, .retries, nil: break
    case .renewsSession: link.renewSession(failure, &effects)
    case .ends(let delivery): settle(key, delivery, at: now)
    }
  }

  mutating func retryResult(_ key: ToolCallKey) {
    if link.state.carriesRequests { calls.book.retryResult(key, &effects) }
  }
}
