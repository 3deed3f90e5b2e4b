/// The session's calls: decides which tools start, and when. The ``CallBook`` answers each call once.
struct CallMachine: Equatable, Sendable {
  /// The model's result for a call that was started and has none.
  static let interruption = """
    Interrupted: the app ended while the tool ran, so whether it took effect is not known. It was not run again. \
    Check the state before you call it again.
    """

  private let policy: TurnPolicy
  private(set) var tools = ToolRules()
  /// Called directly for what concerns results and questions alone.
  var book: CallBook
  private(set) var slots = ToolSlots()
  /// Calls of an earlier process that have not started; taken again once the session is known to be the same.
  private var restoredCalls: [ToolCallKey] = []

  init(policy: TurnPolicy) {
    self.policy = policy
    book = CallBook(policy: policy)
  }

  /// Knows nothing of this one's session, but of the tools that still run and of standing decisions.
  func successor() -> CallMachine {
    var next = CallMachine(policy: policy)
    next.book = book.successor()
    next.tools = tools.successor()
    next.slots = slots
    next.slots.keepHeld()
    return next
  }

  /// The functions that the program can run from now on.
  mutating func use(_ policies: [ToolPolicy]) { tools.use(policies) }

  // MARK: Requests

  /// Takes the request of a call, or another one under the same key.
  ///
  /// - Parameter refusal: why it is not to be run; nil where it may be.
  mutating func request(
    _ request: ResolveKitToolCallRequest, as key: ToolCallKey, eventID: String?, refusal: String?,
    at moment: CallMoment, _ effects: inout TurnEffects
  ) {
    if let known = book[key] { return book.answerAgain(known, request, eventID: eventID, at: moment, &effects) }
    let call = call(request, as: key, arrivedAt: moment.now)
    guard book.insert(call, &effects) else {
      return effects.note(.ignored("call \(key.callID): too many calls are open"))
    }
    if let refusal { return book.refuse(key, because: refusal, mayDeliver: moment.mayDeliver, &effects) }
    admit(call, at: moment, &effects)
  }

  /// A call by the rules of now.
  private func call(
    _ request: ResolveKitToolCallRequest, as key: ToolCallKey, arrivedAt: MonotonicNanoseconds
  ) -> ToolCall {
    let tool = tools[request.functionName]
    let asks = tool.map { $0.requiresApproval || request.requiresApproval == true } ?? true
    return ToolCall(key: key, request: request, requiresApproval: asks, arrivedAt: arrivedAt)
  }

  /// Decides on a call that is new in the book.
  private mutating func admit(_ call: ToolCall, at moment: CallMoment, _ effects: inout TurnEffects) {
    let (key, request, asks) = (call.key, call.request, call.requiresApproval)
    let tool = tools[request.functionName]
    book.join(call, at: moment.now, &effects)
    guard let tool else {
      let error = "Unknown function: \(request.functionName)"
      return book.record(key, .failure(error), .failed(error), mayDeliver: moment.mayDeliver, &effects)
    }
    if let fault = request.argumentsFault {
      let error = ResolveKitFunctionError.invalidArguments("\(fault). The tool was not run.").description
      return book.record(key, .failure(error), .failed(error), mayDeliver: moment.mayDeliver, &effects)
    }
    slots.enter(key, serialKey: tool.serialKey)
    if tools.verdict(on: tool) == .deny {
      book.deny(key, mayDeliver: moment.mayDeliver, &effects)
    } else if asks {
      effects.emit(.consultPolicy(call))
    } else {
      book.approve(key, &effects)
    }
    startTools(at: moment, &effects)
    // One that has started or ended was shown by that.
    if book[key]?.status == .pendingApproval { book.showStatus(of: key, &effects) }
  }

  // MARK: Decisions

  /// The app's policy has spoken about one call; nil leaves it to the rules and to a person.
  mutating func policyDecided(
    _ key: ToolCallKey, _ policy: ApprovalVerdict?, at moment: CallMoment, _ effects: inout TurnEffects
  ) {
    guard let entry = book[key], entry.progress == .waiting else {
      return effects.note(.ignored("a policy's verdict on call \(key.callID), which does not wait"))
    }
    if apply(tools.verdict(on: entry.call, policy: policy), to: key, at: moment, &effects) {
      advance(at: moment, &effects)
    }
  }

  /// Standing decisions were made or revoked outside of this session. One that denies ends what waits and what has not
  /// started; one that allows counts for later calls.
  mutating func standingApprovalsChanged(
    _ approvals: [StandingApproval], at moment: CallMoment, _ effects: inout TurnEffects
  ) {
    tools.replaceStanding(by: approvals)
    for key in book.unfinished(turnID: nil) {
      guard let entry = book[key], entry.progress != .running, tools.verdict(on: entry.call) == .deny else { continue }
      book.deny(key, mayDeliver: moment.mayDeliver, &effects)
    }
    advance(at: moment, &effects)
  }

  /// Takes a person's decision on calls that ``CallBook/calls(under:on:only:at:)`` has found it to count for.
  mutating func decide(
    _ decision: ApprovalDecision, on keys: [ToolCallKey], batchID: Int, at moment: CallMoment,
    _ effects: inout TurnEffects
  ) {
    for key in keys {
      guard let entry = book[key] else { continue }
      tools.apply(decision, on: entry.call, &effects)
      _ = apply(decision.approves ? .allow : .deny, to: key, at: moment, &effects)
    }
    book.decided(batchID: batchID, &effects)
    // Asks no more about what was just allowed or denied beyond the one call.
    for key in book.unasked {
      if let entry = book[key] { _ = apply(tools.verdict(on: entry.call), to: key, at: moment, &effects) }
    }
    advance(at: moment, &effects)
  }

  /// Takes a decision that counts for nothing. What it came too late for is not run, and the person learns why.
  mutating func refuseDecision(
    _ refusal: ResolveKitDecisionRefusal, batchID: Int, at moment: CallMoment, _ effects: inout TurnEffects
  ) {
    effects.note(.refusedDecision(refusal))
    guard refusal == .tooLate else { return }
    for key in book.overdue(inBatch: batchID, at: moment.now) {
      let seconds = book[key]?.call.request.timeoutSeconds ?? 0
      book.expire(
        key, because: "Approved too late: the backend waited \(seconds) s", mayDeliver: moment.mayDeliver, &effects)
    }
    advance(at: moment, &effects)
  }

  /// Returns whether the verdict decides.
  private mutating func apply(
    _ verdict: ApprovalVerdict?, to key: ToolCallKey, at moment: CallMoment, _ effects: inout TurnEffects
  ) -> Bool {
    switch verdict {
    case .allow: book.approve(key, &effects)
    case .deny: book.deny(key, mayDeliver: moment.mayDeliver, &effects)
    case .unknown, nil: return false
    }
    return true
  }

  // MARK: Tools

  /// Starts what may start now, and asks about what waits.
  private mutating func advance(at moment: CallMoment, _ effects: inout TurnEffects) {
    startTools(at: moment, &effects)
    book.askNext(&effects)
  }

  /// Starts approved calls in order of arrival while places are free. A call past its deadline never starts.
  private mutating func startTools(at moment: CallMoment, _ effects: inout TurnEffects) {
    let now = moment.now
    while let key = nextStart(), let entry = book[key] {
      guard now < entry.deadline else {
        book.expire(key, because: "Timed out", mayDeliver: moment.mayDeliver, &effects)
        continue
      }
      slots.hold(key)
      book.start(key, at: now, &effects)
    }
  }

  private mutating func nextStart() -> ToolCallKey? {
    let book = book
    return slots.next(
      limit: policy.maximumRunningTools, isOpen: { book[$0]?.isUnfinished ?? false },
      isReady: { book[$0]?.progress == .approved })
  }

  mutating func deadlinePassed(_ key: ToolCallKey, at moment: CallMoment, _ effects: inout TurnEffects) {
    guard let entry = book[key], entry.isUnfinished else { return }
    guard moment.now >= entry.deadline else {
      return effects.emit(.scheduleDeadline(.toolCall(key), at: entry.deadline))
    }
    book.expire(key, because: "Timed out", mayDeliver: moment.mayDeliver, &effects)
    advance(at: moment, &effects)
  }

  /// The tool's body has returned, in time or not.
  mutating func toolFinished(
    _ key: ToolCallKey, _ outcome: ToolOutcome, at moment: CallMoment, _ effects: inout TurnEffects
  ) {
    slots.release(key)
    if book[key]?.progress == .running {
      switch outcome {
      case .success: book.record(key, outcome, .completed, mayDeliver: moment.mayDeliver, &effects)
      case .failure(let error): book.record(key, outcome, .failed(error), mayDeliver: moment.mayDeliver, &effects)
      }
    } else {
      effects.note(.lateOutcome(key))
    }
    startTools(at: moment, &effects)
  }

  // MARK: Sessions

  /// Takes up the calls of an earlier process. What was started and has no result is answered, not run again, unless the
  /// tool may be repeated.
  mutating func restore(_ calls: [SessionImage.Call], _ effects: inout TurnEffects) {
    book.restore(calls)
    restoredCalls = []
    for left in calls {
      let key = left.call.key
      switch left.progress {
      case .recorded, .settled: continue
      case .waiting: restoredCalls.append(key)
      case .intended:
        guard tools[left.call.functionName]?.isIdempotent == true else {
          book.record(key, .failure(Self.interruption), .failed("Interrupted"), mayDeliver: false, &effects)
          continue
        }
        book.repeatRun(key, &effects)
        restoredCalls.append(key)
      }
    }
  }

  /// The session is the same and its stream is open: calls that have not started are decided on again, by the rules of now.
  ///
  /// - Parameters:
  ///   - turnID: the turn in flight; calls of others are answered.
  ///   - refusal: the answer to a call of another turn, by that turn's id.
  mutating func readmit(
    turnID: String?, refusal: (String) -> String, at moment: CallMoment, _ effects: inout TurnEffects
  ) {
    let keys = restoredCalls
    restoredCalls = []
    for key in keys {
      guard let entry = book[key], entry.progress == .waiting else { continue }
      if turnID?.hasSameBytes(as: key.turnID) ?? false {
        let call = call(entry.call.request, as: key, arrivedAt: entry.call.arrivedAt)
        book.renew(call, &effects)
        admit(call, at: moment, &effects)
      } else {
        book.refuse(key, because: refusal(key.turnID), mayDeliver: moment.mayDeliver, &effects)
      }
    }
  }

  /// Another session takes the place of this one: nobody waits for its calls any more.
  mutating func leaveSession(_ effects: inout TurnEffects) {
    restoredCalls = []
    tools.forgetSession()
    book.abandon(turnID: nil, reason: "The session was replaced", &effects)
  }

  /// The connection ends. A turn or call that was restored from a journal and has not reached its backend since stays
  /// open in the journal.
  mutating func connectionEnded(isRestored: Bool, reason: String, _ effects: inout TurnEffects) {
    guard isRestored else { return book.keepResults(reason: reason, &effects) }
    for key in restoredCalls { book.remove(key) }
    restoredCalls = []
  }
}
