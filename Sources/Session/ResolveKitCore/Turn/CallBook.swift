/// The record of the session's calls: fixes each result once, delivers it until the backend has settled it, and keeps
/// the batches' questions and lists true to it.
struct CallBook: Equatable, Sendable {
  private let policy: TurnPolicy
  private var ledger: ToolLedger
  private var desk: ApprovalDesk

  init(policy: TurnPolicy, desk: ApprovalDesk = ApprovalDesk()) {
    self.policy = policy
    self.desk = desk
    ledger = ToolLedger(capacity: policy.maximumCalls, keptBytes: policy.maximumKeptResultBytes)
  }

  /// An empty book whose batches' ids continue from this one's.
  func successor() -> CallBook { CallBook(policy: policy, desk: desk.successor()) }

  subscript(key: ToolCallKey) -> CallEntry? { ledger[key] }

  /// Keys in order of arrival whose result is not fixed; of one turn, or of all for nil.
  func unfinished(turnID: String?) -> [ToolCallKey] { ledger.unfinished(turnID: turnID) }

  /// Whether calls of the turn have no result yet.
  func hasUnfinished(turnID: String) -> Bool { !ledger.unfinished(turnID: turnID).isEmpty }

  // MARK: Calls

  /// Remembers a new call. False if too many are remembered that must not be forgotten.
  mutating func insert(_ call: ToolCall, _ effects: inout TurnEffects) -> Bool { ledger.insert(call, &effects) }

  /// Takes up the calls of an earlier process as they were left, in place of all others.
  mutating func restore(_ calls: [SessionImage.Call]) {
    ledger = ToolLedger(capacity: policy.maximumCalls, keptBytes: policy.maximumKeptResultBytes)
    for call in calls { ledger.restore(call) }
  }

  /// Takes a call again that has not started, in its place among the others.
  mutating func renew(_ call: ToolCall, _ effects: inout TurnEffects) { ledger.renew(call, &effects) }

  /// Forgets a call that has not started.
  mutating func remove(_ key: ToolCallKey) { ledger.remove(key) }

  /// Puts a call into a batch.
  mutating func join(_ call: ToolCall, at now: MonotonicNanoseconds, _ effects: inout TurnEffects) {
    let place = desk.add(call.key, at: now, window: policy.batchWindow, limit: policy.maximumBatchSize)
    ledger.scheduleDeadlines(turnID: call.key.turnID, &effects)
    // A full batch waits only for the policy's verdict on its last call.
    let end = place.isFull ? now : now.advanced(byNanoseconds: policy.batchWindow)
    if place.isFull || place.isNew { effects.emit(.scheduleDeadline(.batchWindow(batchID: place.id), at: end)) }
    if place.isNew { desk.endWindows(before: place.id, at: now, ledger, &effects) }
  }

  /// The call starts as soon as a place is free.
  mutating func approve(_ key: ToolCallKey, _ effects: inout TurnEffects) {
    ledger.update(key, &effects) { $0.approve() }
  }

  mutating func deny(_ key: ToolCallKey, mayDeliver: Bool, _ effects: inout TurnEffects) {
    ledger.update(key, &effects) { $0.deny() }
    record(key, .failure("User denied action"), .cancelled("User denied action"), mayDeliver: mayDeliver, &effects)
  }

  /// Starts the call's tool.
  mutating func start(_ key: ToolCallKey, at now: MonotonicNanoseconds, _ effects: inout TurnEffects) {
    guard let entry = ledger[key] else { return }
    ledger.update(key, &effects) { $0.start(at: now) }
    ledger.scheduleDeadlines(turnID: key.turnID, &effects)
    showStatus(of: key, &effects)
    effects.emit(.startTool(entry.call))
  }

  /// A run that was cut off may be repeated: the call waits as if it had not started.
  mutating func repeatRun(_ key: ToolCallKey, _ effects: inout TurnEffects) {
    ledger.update(key, &effects) { $0.repeatRun() }
  }

  /// The backend has stopped waiting for the call.
  ///
  /// - Parameter reason: the explanation that is shown for a call that was not decided on.
  mutating func expire(
    _ key: ToolCallKey, because reason: String, mayDeliver: Bool, _ effects: inout TurnEffects
  ) {
    guard let entry = ledger[key] else { return }
    let error = "Timed out after \(entry.call.request.timeoutSeconds)s"
    ledger.update(key, &effects) { $0.expire() }
    switch entry.progress {
    case .running:
      effects.emit(.cancelTool(key))
      record(key, .failure(error), .failed(error), mayDeliver: mayDeliver, &effects)
    case .approved:
      record(
        key, .failure(error), .cancelled("Timed out: no place to run it came free"), mayDeliver: mayDeliver, &effects)
    case .waiting, .recorded:
      record(key, .failure(error), .cancelled(reason), mayDeliver: mayDeliver, &effects)
    }
  }

  // MARK: Questions and lists

  /// The question to a person now; nil where there is none.
  var question: ResolveKitApprovalRequest? { desk.question(in: ledger) }

  /// Every batch that is remembered, oldest first.
  var batches: [ToolCallChecklistBatch] { desk.checklists(in: ledger) }

  /// The calls of batches that nobody was asked about yet, and that wait.
  var unasked: [ToolCallKey] { desk.unasked(in: ledger) }

  /// The calls that a decision would count for.
  func calls(
    under decision: ApprovalDecision, on shown: ResolveKitApprovalRequest, only: [String]?,
    at now: MonotonicNanoseconds
  ) throws(ResolveKitDecisionRefusal) -> [ToolCallKey] {
    try ApprovalCheck(desk: desk, ledger: ledger).calls(under: decision, on: shown, only: only, at: now)
  }

  /// The batch's calls that the backend has stopped waiting for, while nobody had decided on them.
  func overdue(inBatch id: Int, at now: MonotonicNanoseconds) -> [ToolCallKey] {
    (desk[id]?.keys ?? []).filter { ledger[$0]?.isOverdue(at: now) ?? false }
  }

  mutating func batchWindowEnded(_ id: Int, _ effects: inout TurnEffects) { desk.windowEnded(id, ledger, &effects) }

  /// Asks about what waits, one question at a time.
  mutating func askNext(_ effects: inout TurnEffects) { desk.askNext(ledger, &effects) }

  /// A decision on the batch was taken.
  mutating func decided(batchID: Int, _ effects: inout TurnEffects) { desk.decided(batchID, ledger, &effects) }

  mutating func showStatus(of key: ToolCallKey, _ effects: inout TurnEffects) {
    guard let entry = ledger[key] else { return }
    effects.emit(.toolStatusChanged(key, functionName: entry.call.functionName, entry.status))
    desk.show(key, ledger, &effects)
  }

  mutating func toolProgressed(_ key: ToolCallKey, _ progress: ResolveKitToolProgress, _ effects: inout TurnEffects) {
    guard ledger[key]?.progress == .running else { return }
    ledger.update(key, &effects) { $0.report(progress) }
    desk.show(key, ledger, &effects)
  }

  // MARK: Results

  /// Answers a call id that was used before in the turn, in an event of its own; a call id starts at most one tool.
  ///
  /// The same call gets the same result, under an idempotency key of its own: a backend that asks again has taken the first
  /// result, or lost it, and drops in either case what comes under the old key. While the first call has no result, the
  /// same again is a duplicate. Another call under the same id is answered with an error.
  mutating func answerAgain(
    _ known: CallEntry, _ request: ResolveKitToolCallRequest, eventID: String?, at moment: CallMoment,
    _ effects: inout TurnEffects
  ) {
    let key = known.call.key
    effects.note(.repeatedCall(key))
    let isSame = known.call.request.isSame(as: request)
    guard let eventID, !(isSame && known.isUnfinished) else { return }
    let repetition = ToolCallKey(turnID: key.turnID, callID: key.callID, repetition: eventID)
    let call = ToolCall(key: repetition, request: request, requiresApproval: false, arrivedAt: moment.now)
    guard ledger[repetition] == nil, ledger.insert(call, &effects) else { return }
    if isSame, case .recorded(let payload, _) = known.progress {
      let status = known.isResultForgotten ? payload.error.map { ToolCallItemStatus.failed($0) } : nil
      record(
        repetition, payload.outcome, status ?? known.status, mayDeliver: moment.mayDeliver, &effects)
    } else {
      let error = "The call id was used before in this turn, so the tool was not run. Call again under a new id."
      record(repetition, .failure(error), .failed(error), mayDeliver: moment.mayDeliver, &effects)
    }
  }

  /// The backend still waits for the turn's calls, which will not run: they are answered.
  mutating func refuseAll(
    of turnID: String, because reason: String, mayDeliver: Bool, _ effects: inout TurnEffects
  ) {
    for key in ledger.unfinished(turnID: turnID) { refuse(key, because: reason, mayDeliver: mayDeliver, &effects) }
  }

  mutating func refuse(
    _ key: ToolCallKey, because reason: String, mayDeliver: Bool, _ effects: inout TurnEffects
  ) {
    if ledger[key]?.progress == .running { effects.emit(.cancelTool(key)) }
    record(key, .failure(reason), .cancelled(reason), mayDeliver: mayDeliver, &effects)
  }

  /// Fixes the result of a call. Whatever happens later, this is what is delivered.
  mutating func record(
    _ key: ToolCallKey, _ outcome: ToolOutcome, _ status: ToolCallItemStatus, mayDeliver: Bool,
    _ effects: inout TurnEffects
  ) {
    guard let entry = ledger[key], entry.isUnfinished else { return }
    let objection = outcome.objection
    let payload = ResolveKitToolResultPayload(
      objection.map { .failure($0) } ?? outcome, of: key, maximumBytes: policy.maximumResultBytes)
    ledger.update(key, &effects) {
      $0.record(payload, objection.map { .failed($0) } ?? status, mayDeliver: mayDeliver)
    }
    effects.emit(.cancelDeadline(.toolCall(key)))
    showStatus(of: key, &effects)
    if mayDeliver { effects.emit(.deliverResult(key, payload)) }
  }

  /// Takes the final outcome of a result. Returns whether it was unknown before.
  mutating func settle(
    _ key: ToolCallKey, _ delivery: ResultDelivery, at now: MonotonicNanoseconds, _ effects: inout TurnEffects
  ) -> Bool {
    ledger.settle(key, delivery, at: now, &effects)
  }

  /// Returns the consequence; what ends the delivery is not settled yet. Nil where none was under way.
  mutating func deliveryFailed(
    _ key: ToolCallKey, _ failure: RequestFailure, isTurnOver: Bool, at moment: CallMoment,
    _ effects: inout TurnEffects
  ) -> CallEntry.FailedDelivery? {
    let limit = isTurnOver ? 0 : policy.resultAttempts
    let consequence = ledger.update(key, &effects) {
      $0.deliveryFailed(failure, limit: limit, mayDeliver: moment.mayDeliver)
    }
    if case .retries(let seconds) = consequence ?? nil {
      effects.note(.retrying("result of call \(key.callID) in \(seconds) s: \(failure)"))
      effects.emit(.scheduleDeadline(.resultRetry(key), at: moment.now.advanced(bySeconds: seconds)))
    }
    return consequence ?? nil
  }

  mutating func retryResult(_ key: ToolCallKey, _ effects: inout TurnEffects) { ledger.retryResult(key, &effects) }

  /// The stream is open again: what could not be delivered is tried at once.
  mutating func redeliverResults(_ effects: inout TurnEffects) {
    for key in ledger.undelivered { retryResult(key, &effects) }
  }

  /// The connection has ended, and the backend waits for its calls: those without a result get one, and all go out with
  /// the next stream, should the session be the same.
  mutating func keepResults(reason: String, _ effects: inout TurnEffects) {
    for key in ledger.unfinished(turnID: nil) {
      if ledger[key]?.progress == .running { effects.emit(.cancelTool(key)) }
      record(key, .failure(reason), .cancelled(reason), mayDeliver: false, &effects)
    }
    for key in ledger.undelivered { effects.emit(.cancelDeadline(.resultRetry(key))) }
    desk.askNext(ledger, &effects)
  }

  /// Abandons the calls of one turn, whose results on their way keep their answer, or of all turns for nil.
  mutating func abandon(turnID: String?, reason: String, _ effects: inout TurnEffects) {
    for key in ledger.unfinished(turnID: turnID) {
      let wasRunning = ledger[key]?.progress == .running
      let payload = ResolveKitToolResultPayload(
        .failure(reason), of: key, maximumBytes: policy.maximumResultBytes)
      ledger.update(key, &effects) { $0.abandon(payload, reason: reason) }
      effects.emit(.cancelDeadline(.toolCall(key)))
      if wasRunning { effects.emit(.cancelTool(key)) }
      showStatus(of: key, &effects)
      effects.emit(.resultSettled(key, .abandoned))
    }
    ledger.abandonDeliveries(of: turnID, &effects)
    desk.askNext(ledger, &effects)
  }
}
