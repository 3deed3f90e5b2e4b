// A session that an earlier process left behind, taken up from its journal.
extension TurnMachine {
  /// The result that the model gets for a call that was started and has no result.
  static let interruption = """
    Interrupted: the app ended while the tool ran, so whether it took effect is not known. It was not run again. \
    Check the state before you call it again.
    """

  mutating func restored(_ image: SessionImage, at now: MonotonicNanoseconds) {
    guard let id = image.sessionID, !link.state.carriesRequests else { return note(.ignored("a journal, too late")) }
    if let current = link.session, !current.id.hasSameBytes(as: id) { leaveSession() }
    remember(.session(id: id))
    link.restore(image, id: id)
    abandoned = image.abandoned
    finishedTurns = image.finishedTurns
    answersInHistory = image.answersInHistory
    ledger = ToolLedger(capacity: policy.maximumCalls, keptBytes: policy.maximumKeptResultBytes)
    for call in image.calls { ledger.restore(call) }
    restoreTurn(image, at: now)
    left = turn == nil ? image.left : nil
    restoredCalls = []
    for call in image.calls { restore(call, at: now) }
  }

  private mutating func restoreTurn(_ image: SessionImage, at now: MonotonicNanoseconds) {
    let earlier = image.lastWords
    defer {
      lastWords = earlier + (image.turn.map { [$0.message.text] } ?? []) + (turn.map { [$0.message.text] } ?? [])
    }
    guard let left = image.turn else {
      turn?.earlier = earlier
      if let current = turn { remember(.message(current.message, at: current.startedAt)) }
      return
    }
    if let current = turn {
      // Another message was taken meanwhile: the one of the earlier process runs on unseen.
      turn?.earlier = earlier + [left.message.text]
      let reference = TurnReference(requestID: left.message.requestID, turnID: left.turnID)
      abandoned.append(reference)
      remember(.abandoned(reference))
      remember(.turnFinished(.cancelled, reason: nil))
      return remember(.message(current.message, at: current.startedAt))
    }
    var state = TurnState(message: left.message, after: earlier, at: left.startedAt)
    state.turnID = left.turnID
    state.text = left.text
    if left.isHeard { state.phase = .running }
    // It may have been posted, if there was a stream to answer it.
    if image.isHistoryKnown { state.uncertainSince = left.startedAt }
    state.isRestored = true
    state.lastActivity = now
    turn = state
    if left.isHeard { armWatchdog(at: now) }
  }

  private mutating func restore(_ left: SessionImage.Call, at now: MonotonicNanoseconds) {
    let key = left.call.key
    switch left.progress {
    case .recorded, .settled: return
    case .waiting: restoredCalls.append(key)
    case .intended:
      guard tools[left.call.functionName]?.isIdempotent == true else {
        return record(key, .failure(Self.interruption), .failed("Interrupted"))
      }
      ledger.update(key, &effects) {
        $0.progress = .waiting
        $0.status = .pendingApproval
      }
      restoredCalls.append(key)
    }
  }

  /// The session is the same and its stream is open: calls that have not started are decided on anew, by the rules of now.
  mutating func readmitCalls(at now: MonotonicNanoseconds) {
    let keys = restoredCalls
    restoredCalls = []
    for key in keys {
      guard let entry = ledger[key], entry.progress == .waiting else { continue }
      if turn?.knownID.hasSameBytes(as: key.turnID) ?? false {
        ledger.remove(key)
        admit(entry.call.request, as: key, arrivedAt: entry.call.arrivedAt, at: now)
      } else {
        refuseCancelled(key, at: now)
      }
    }
  }
}
