import TestSupport
import Testing

@testable import ResolveKitCore

/// Events in any order, possible or not: nothing traps, and the promises hold.
struct TurnMonkeyTests {
  private struct Ledger {
    var started: Set<ToolCallKey> = []
    var payloads: [ToolCallKey: ResolveKitToolResultPayload] = [:]
    var finished: Set<String> = []
    var question: ResolveKitApprovalRequest?
    var oldQuestion: ResolveKitApprovalRequest?
    var window: Int?
    var generation = 0
    var deadlines: [ToolCallKey: MonotonicNanoseconds] = [:]
    var request = "none"
  }

  private static func randomEvent(
    _ random: inout SeededGenerator, _ ledger: Ledger, at now: MonotonicNanoseconds
  ) -> TurnEvent {
    let generation = ledger.generation
    func pick<Value>(_ values: [Value], or fallback: Value) -> Value {
      values.randomElement(using: &random) ?? fallback
    }
    let id = pick([ledger.request, ledger.request, "other"], or: "other")
    let turn = pick(["t1", "t2", "t3"], or: "t1")
    let key = ToolCallKey(turnID: turn, callID: pick(["a", "b", "c"], or: "a"))
    let failure = RequestFailure(status: pick([nil, 401, 403, 404, 409, 410, 422, 500], or: nil), message: "m")
    let stream = pick([generation, generation, generation, generation - 1], or: generation)
    switch Int.random(in: 0..<67, using: &random) {
    case 0: return .startRequested(tools: SimulatedSession.tools)
    case 1: return .registered
    case 2: return .registrationFailed(failure, isFinal: Bool.random(using: &random))
    case 3, 4:
      return .sessionCreated(sessionID: pick(["s", "s", "s2"], or: "s"), isReused: Bool.random(using: &random))
    case 5: return .sessionFailed(failure)
    case 6: return .retryDue(.createSession)
    case 7: return Int.random(in: 0..<20, using: &random) == 0 ? .stopRequested : .registered
    case 8: return .streamConnecting(generation: stream, attempt: 2)
    case 9, 10, 11: return .streamOpened(generation: stream, at: now)
    case 12: return .streamEnded(generation: stream, isClean: true, reason: nil, resumesAtOnce: true)
    case 13: return .streamEnded(generation: stream, isClean: false, reason: "x", resumesAtOnce: false)
    case 14: return .streamRefused(generation: stream, failure)
    case 15, 16: return .sendRequested(OutgoingMessage(requestID: "r\(now)", text: "x"), at: now)
    case 17, 18: return .messageAccepted(requestID: id, turnID: turn, at: now)
    case 19: return .messageFailed(requestID: id, failure, at: now)
    case 20: return .cancelRequested(at: now)
    case 41: return .messageNotPosted(requestID: id, failure, at: now)
    case 21, 22, 30, 31, 32:
      let decision = pick(ApprovalDecision.allCases, or: .deny)
      let none = ResolveKitApprovalRequest(batchID: 1, turnID: turn, calls: [])
      let shown = pick([ledger.question, ledger.question, ledger.oldQuestion], or: nil) ?? none
      let only = pick([nil, nil, [key.callID]], or: nil)
      return .approvalDecided(decision, on: shown, only: only, at: now)
    case 23: return .toolFinished(key, pick([.success(1), .failure("e")], or: .success(1)), at: now)
    case 24: return .resultAccepted(key, deduplicated: false, at: now)
    case 25: return .resultFailed(key, failure, at: now)
    case 26: return .historyLoaded([HistoryMessage(id: "1", role: "user", content: "x")], at: now)
    case 27: return .historyFailed(failure, at: now)
    case 28: return .deadlinePassed(.toolCall(key), at: now)
    case 36, 37, 38: return .policyDecided(key, pick([nil, nil, .allow, .deny, .unknown], or: nil), at: now)
    case 39:
      let verdict = pick([ApprovalVerdict.allow, .allow, .deny, .unknown], or: .deny)
      let approval = StandingApproval(fingerprint: pick(["auto", "asks"], or: ""), toolName: "", verdict: verdict)
      return .standingApprovalsChanged(pick([[], [], [approval]], or: []), at: now)
    case 40: return .toolProgressed(key, ResolveKitToolProgress(fraction: 0.5, message: "half"))
    case 29:
      let batch = ledger.window ?? 1
      return .deadlinePassed(
        pick([.batchWindow(batchID: batch), .resultRetry(key), .messageRetry(requestID: id)], or: .resultRetry(key)),
        at: now)
    case 33, 34, 35: return .deadlinePassed(.batchWindow(batchID: ledger.window ?? 1), at: now)
    default:
      let type = pick(
        ["assistant_text_delta", "odd", "error", "turn_complete"] + Array(repeating: "tool_call_request", count: 6),
        or: "odd")
      let payload: JSONObject = [
        "delta": "x", "accumulated": "xx", "full_text": "y", "call_id": .string(key.callID),
        "function_name": .string(pick(["auto", "asks", "other"], or: "auto")),
        "timeout_seconds": .number(Double(Int.random(in: 1...9, using: &random))),
      ]
      let envelope = ResolveKitEnvelope(eventID: nil, turnID: turn, requestID: id, type: type, payload: payload)
      return .streamEvent(
        StreamEvent(
          generation: stream, id: "\(Int.random(in: 1...4000, using: &random))", type: type,
          data: envelope.json.jsonText, arrivedAt: now))
    }
  }

  private func check(_ action: TurnAction, _ ledger: inout Ledger, at now: MonotonicNanoseconds, _ label: Comment) {
    switch action {
    case .startTool(let call):
      #expect(ledger.started.insert(call.key).inserted, label)
      #expect(call.key.repetition == nil, label)
      if let deadline = ledger.deadlines[call.key] { #expect(now < deadline, label) }
    case .deliverResult(let key, let payload):
      #expect(ledger.payloads.updateValue(payload, forKey: key) ?? payload == payload, label)
    case .turnFinished(let result):
      #expect(ledger.finished.insert(result.requestID).inserted, label)
    case .askApproval(let question):
      // Only a question about fewer calls of the same batch takes another one's place.
      if let asked = ledger.question {
        #expect(asked.batchID == question.batchID && asked.calls.count > question.calls.count, label)
      }
      ledger.oldQuestion = ledger.question ?? ledger.oldQuestion
      ledger.question = question
    case .withdrawApproval(let id):
      #expect(ledger.question?.batchID == id, label)
      ledger.oldQuestion = ledger.question
      ledger.question = nil
    case .openStream(let generation, let cursor):
      #expect(generation > ledger.generation && cursor?.isEmpty != true, label)
      ledger.generation = generation
    case .postMessage(let message): ledger.request = message.requestID
    case .scheduleDeadline(.batchWindow(let id), _): ledger.window = id
    case .scheduleDeadline(.toolCall(let key), let at):
      ledger.deadlines[key] = at
    default:
      break
    }
  }

  /// Most noise ends the connection; it comes back, so that the rest has something to meet.
  private static func recovery(of machine: TurnMachine, _ ledger: Ledger, at now: MonotonicNanoseconds) -> TurnEvent? {
    switch machine.connectionState {
    case .failed, .blocked, .idle: return .startRequested(tools: SimulatedSession.tools)
    case .registering: return .registered
    case .connecting, .reconnecting:
      if now.isMultiple(of: 3) { return .sessionCreated(sessionID: "s", isReused: false) }
      return now.isMultiple(of: 5) ? .streamOpened(generation: ledger.generation, at: now) : nil
    case .active, .reconnected: return nil
    }
  }

  @Test func promisesHoldForAnyEvents() {
    var starts = 0
    var questions = 0
    var turns = 0
    for seed in 1...300 as ClosedRange<UInt64> {
      var random = SeededGenerator(seed: seed)
      var machine = TurnMachine.open()
      var ledger = Ledger(generation: 1)
      var now: MonotonicNanoseconds = 1
      for step in 0..<400 {
        now += UInt64.random(in: 1...300_000_000, using: &random)
        let event = Self.recovery(of: machine, ledger, at: now) ?? Self.randomEvent(&random, ledger, at: now)
        let label: Comment = "seed \(seed), step \(step)"
        if case .approvalDecided = event, ledger.question != nil { questions += 1 }
        for action in machine.handle(event) { check(action, &ledger, at: now, label) }
        if machine.question != ledger.question { Issue.record("not the question that was asked: \(label)") }
        #expect(machine.isTurnInProgress == (machine.shownText != nil), label)
      }
      starts += ledger.started.count
      turns += ledger.finished.count
    }
    // The noise must reach what it is meant to test.
    #expect(starts > 300)
    #expect(questions > 100)
    #expect(turns > 1000)
  }
}
