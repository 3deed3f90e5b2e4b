/// Judges tools: at most one start, on the disk before, by a decision that was made, in time; and their results, which are
/// one each. Invariants 6 to 10 and 16.
struct ToolChecker {
  private typealias Call = Observation.Call

  private let seesDisk: Bool
  private var life = 0
  private var starts: [Call: Int] = [:]
  private var startDurable: Set<Call> = []
  private var resultDurable: Set<Call> = []
  private var posted: [Call: String] = [:]
  /// The calls, by their turn and the key under which their result was sent.
  private var keys: [[String]: Call] = [:]
  /// The calls whose result a backend has taken, and those for which it waits no more.
  private var taken: Set<Call> = []
  private var expired: Set<Call> = []
  /// Whether the connection is over.
  private var isOver = false
  private var wasCancelled = false
  private var settled: Set<Call> = []
  private var approved: Set<Call> = []
  private var denied: Set<Call> = []
  /// Tools that a person has allowed for the session, which a client's life is here.
  private var allowed: Set<String> = []
  private var asked: [Int: [String]] = [:]
  private var arrivals: [Call: Moment] = [:]
  /// The times by which the running tools must have a result.
  private var due: [Call: Moment] = [:]
  private var isSuspended = false
  private var graceUntil: Moment = 0
  private var wasClockSet = false
  private var batches: [Int: Moment] = [:]
  private var homes: [Call: Int] = [:]

  private static let second: Moment = 1_000_000_000

  init(seesDisk: Bool) { self.seesDisk = seesDisk }

  mutating func take(
    _ observation: Observation, at now: Moment, _ truth: LogTruth, _ violations: inout Violations
  ) {
    if !isSuspended, now > graceUntil {
      for (call, moment) in due where now > moment {
        violations.add(10, "\(call.id) of \(call.turn) has no result, a second after its time")
        due[call] = nil
      }
    }
    switch observation {
    case .clientStarted: beginLife()
    case .clientRestored(let cursor?, _, _, _): forget(until: Int64(cursor) ?? 0, truth)
    case .clientEnded: due = [:]
    case .clientSuspended: isSuspended = true
    case .clientResumed: (isSuspended, graceUntil) = (false, now + 2 * Self.second)
    case .clientClockSet: wasClockSet = true
    case .eventApplied(let id, _, "tool_call_request"): arrive(id, now, truth)
    case .startDurable(let call): startDurable.insert(call)
    case .resultDurable(let call):
      resultDurable.insert(call)
      due[call] = nil
    case .asked(let batch, _, let calls): asked[batch] = calls
    case .decided(let batch, let turn, let calls, let approves, let isForSession):
      decide(batch, turn, calls, approves, isForSession, truth)
    case .toolStarted(let call, let tool, _): start(call, tool, now, truth, &violations)
    case .resultPosted(let call, let key, let body): post(call, key, body, &violations)
    case .resultSettled(let call, let outcome):
      settled.insert(call)
      if outcome == "abandoned" { abandon(call, now, truth, &violations) }
    case .callExpired(let turn, let id): expired.insert(Call(turn: turn, id: id, repetition: ""))
    case .connection(let state): isOver = ["failed", "blocked", "idle"].contains(state)
    case .cancelled: wasCancelled = true
    case .resultTaken(let turn, let id, _, _, "accepted"):
      let isNews = taken.insert(Call(turn: turn, id: id, repetition: "")).inserted
      violations.require(isNews, 8, "a second result of \(id) of \(turn) is taken")
    case .batchShown(let id, let turn, let calls):
      show(id, calls.map { Call(turn: turn, id: $0, repetition: "") }, now, &violations)
    default: break
    }
  }

  private mutating func beginLife() {
    life += 1
    (asked, allowed, due, batches, homes, isSuspended) = ([:], [], [:], [:], [:], false)
    (approved, denied) = ([], [])
  }

  /// The disk says that turns are over: nobody waits for their results, and who was to be told of that has ended.
  private mutating func forget(until cursor: Int64, _ truth: LogTruth) {
    for call in resultDurable where truth.endNumbers[call.turn].map({ $0 <= cursor }) ?? false { settled.insert(call) }
  }

  private mutating func arrive(_ id: String, _ now: Moment, _ truth: LogTruth) {
    // Applied again it is new to a process whose disk had lost it.
    if let number = Int64(id), let call = truth.requested[number] { arrivals[call] = now }
  }

  private mutating func decide(
    _ batch: Int, _ turn: String, _ calls: [String], _ approves: Bool, _ isForSession: Bool, _ truth: LogTruth
  ) {
    for id in calls where asked[batch]?.contains(id) ?? false {
      let call = Call(turn: turn, id: id, repetition: "")
      let tool = truth.calls[call]?.tool
      // One that was decided on before waits for its place alone.
      let isOpen = starts[call] == nil && !approved.contains(call) && !allowed.contains(tool ?? "")
      if approves { approved.insert(call) } else if isOpen { denied.insert(call) }
      if approves, isForSession, let tool { allowed.insert(tool) }
    }
  }

  private mutating func start(
    _ call: Call, _ tool: String, _ now: Moment, _ truth: LogTruth, _ violations: inout Violations
  ) {
    starts[call, default: 0] += 1
    violations.require(starts[call] == 1 || tool == "repeatable", 6, "\(call.id) of \(call.turn) starts again")
    violations.require(
      startDurable.contains(call) || !seesDisk, 7, "\(call.id) of \(call.turn) starts before that is on the disk")
    guard let known = truth.calls[call] else {
      return violations.add(9, "\(call.id) of \(call.turn) starts, which nobody asked for")
    }
    if known.needsApproval {
      violations.require(
        approved.contains(call) || allowed.contains(tool), 9, "\(call.id) of \(call.turn) starts without approval")
    }
    violations.require(!denied.contains(call), 9, "\(call.id) of \(call.turn) starts, and was denied")
    due[call] = now + Moment(known.timeout + 1) * Self.second
    guard !wasClockSet, let arrival = arrivals[call] else { return }
    let limit = arrival + Moment(known.patience) * Self.second
    // The start may wait for the disk.
    violations.require(now <= limit + Self.second / 4, 9, "\(call.id) of \(call.turn) starts when its time is over")
  }

  private mutating func post(_ call: Call, _ key: String, _ body: String, _ violations: inout Violations) {
    violations.require(resultDurable.contains(call), 8, "the result of \(call.id) is sent before it is on the disk")
    let owner = keys[[call.turn, key]] ?? call
    violations.require(owner == call, 8, "the results of two calls are sent under the key \(key): \(owner) and \(call)")
    keys[[call.turn, key]] = owner
    let whole = "\(key) \(body)"
    if let before = posted[call] {
      violations.require(before == whole, 8, "the result of \(call.id) was '\(before)', and is '\(whole)'")
    }
    posted[call] = whole
  }

  /// Nobody may need a result that is given up.
  private func abandon(_ call: Call, _ now: Moment, _ truth: LogTruth, _ violations: inout Violations) {
    guard seesDisk, call.repetition.isEmpty, !isOver, !wasCancelled, let known = truth.calls[call],
      let arrival = arrivals[call]
    else { return }
    let isUseless = taken.contains(call) || expired.contains(call) || truth.ends[call.turn] != nil
    violations.require(
      isUseless || now >= arrival + Moment(known.patience) * Self.second, 8,
      "the result of \(call.id) of \(call.turn) is given up, which is waited for")
  }

  private mutating func show(_ id: Int, _ calls: [Call], _ now: Moment, _ violations: inout Violations) {
    violations.require(calls.count <= 64, 16, "batch \(id) has \(calls.count) calls")
    let began = batches[id] ?? now
    batches[id] = began
    for call in calls where homes[call] != id {
      violations.require(homes[call] == nil, 16, "\(call.id) is in batches \(homes[call] ?? 0) and \(id)")
      violations.require(now - began <= Self.second / 4, 16, "\(call.id) joins batch \(id) when its window is over")
      homes[call] = id
    }
  }

  func end(_ violations: inout Violations) {
    guard seesDisk else { return }
    for call in resultDurable.sorted(by: { $0.id < $1.id }) where !settled.contains(call) {
      violations.add(8, "the outcome of the result of \(call.id) of \(call.turn) is unknown")
    }
  }
}
