import Testing

@testable import ResolveKitCore

struct CallMachineTests {
  private let free = ToolPolicy(name: "runs", requiresApproval: false, serialKey: "lane")
  private let asks = ToolPolicy(name: "asks", requiresApproval: true, fingerprint: "f")
  private let now = CallMoment(now: 0, mayDeliver: true)

  private func machine(limit: Int = 4) -> CallMachine {
    var policy = TurnPolicy()
    policy.maximumRunningTools = limit
    var machine = CallMachine(policy: policy)
    machine.use([free, asks])
    return machine
  }

  private func request(
    _ id: String, _ function: String, refusal: String? = nil, at moment: CallMoment? = nil,
    _ machine: inout CallMachine
  ) -> [TurnAction] {
    var effects = TurnEffects()
    let request = CallScript.request(id, function)
    machine.request(
      request, as: CallScript.key(id), eventID: id, refusal: refusal, at: moment ?? now, &effects)
    return effects.takeActions()
  }

  @Test func callsOfOneLaneStartOneAfterTheOther() {
    var machine = machine()
    let first = request("a", "runs", &machine)
    let second = request("b", "runs", &machine)
    #expect(first.started == ["a"] && second.started.isEmpty)
    let next = CallScript.actions { machine.toolFinished(CallScript.key("a"), .success(1), at: now, &$0) }
    #expect(next.delivered.map(\.callID) == ["a"] && next.started == ["b"])
  }

  @Test func withoutASessionInUseAResultWaits() {
    var machine = machine()
    _ = request("a", "runs", &machine)
    let offline = CallMoment(now: 1, mayDeliver: false)
    let finished = CallScript.actions {
      machine.toolFinished(CallScript.key("a"), .success(1), at: offline, &$0)
    }
    #expect(finished.delivered.isEmpty)
    #expect(CallScript.actions { machine.book.redeliverResults(&$0) }.delivered.map(\.callID) == ["a"])
  }

  @Test func aRefusedCallIsAnsweredAndJoinsNoBatch() {
    var machine = machine()
    let actions = request("a", "asks", refusal: "Nobody wants it", &machine)
    #expect(actions.delivered.map(\.error) == ["Nobody wants it"])
    #expect(machine.book.batches.isEmpty && machine.book.unfinished(turnID: nil).isEmpty)
  }

  @Test func anUnknownFunctionIsAnsweredWithItsName() {
    var machine = machine()
    let actions = request("a", "none", &machine)
    #expect(actions.delivered.map(\.error) == ["Unknown function: none"])
  }

  @Test func aDecisionForLongerAsksNoMoreAboutLaterBatches() throws {
    var machine = machine()
    _ = request("a", "asks", &machine)
    _ = CallScript.actions { machine.book.batchWindowEnded(1, &$0) }
    let later = CallMoment(now: CallScript.second, mayDeliver: true)
    _ = request("b", "asks", at: later, &machine)
    let shown = try #require(machine.book.question)
    let keys = try machine.book.calls(under: .approveAlways, on: shown, only: nil, at: later.now)
    let actions = CallScript.actions { machine.decide(.approveAlways, on: keys, batchID: 1, at: later, &$0) }
    #expect(actions.started == ["a", "b"])
    #expect(machine.tools.verdict(on: asks) == .allow && machine.book.question == nil)
  }

  @Test func aDecisionThatComesTooLateEndsTheCall() {
    var machine = machine()
    _ = request("a", "asks", &machine)
    let late = CallMoment(now: 30 * CallScript.second, mayDeliver: true)
    let actions = CallScript.actions { machine.refuseDecision(.tooLate, batchID: 1, at: late, &$0) }
    #expect(actions.delivered.map(\.error) == ["Timed out after 30s"] && actions.started.isEmpty)
    #expect(
      machine.book.batches.first?.items.map(\.status) == [.cancelled("Approved too late: the backend waited 30 s")])
  }

  @Test func aPlaceIsHeldUntilTheToolHasReturned() {
    var machine = machine(limit: 1)
    _ = request("a", "runs", &machine)
    let end = CallMoment(now: 30 * CallScript.second, mayDeliver: true)
    let expired = CallScript.actions { machine.deadlinePassed(CallScript.key("a"), at: end, &$0) }
    #expect(expired.contains(.cancelTool(CallScript.key("a"))) && machine.slots.held == 1)
    let late = CallScript.actions { machine.toolFinished(CallScript.key("a"), .success(1), at: end, &$0) }
    #expect(late == [.note(.lateOutcome(CallScript.key("a")))] && machine.slots.held == 0)
  }

  @Test func restoredCallsWaitForTheSessionAndOthersAreAnswered() {
    var machine = machine()
    let image = ["a", "b"].map {
      SessionImage.Call(call: CallScript.call($0, turn: $0 == "a" ? "t" : "u"), progress: .waiting)
    }
    #expect(CallScript.actions { machine.restore(image, &$0) } == [])
    let actions = CallScript.actions {
      machine.readmit(turnID: "t", refusal: { "\($0) was given up" }, at: now, &$0)
    }
    #expect(actions.started == ["a"] && actions.delivered.map(\.callID) == ["b"])
    #expect(actions.delivered.map(\.error) == ["u was given up"])
  }

  /// The backend awaits calls in their order, so a call's time begins when that of the one before is over.
  @Test func callsThatAreTakenUpKeepTheirOrderAndWithItTheirTime() {
    var machine = machine()
    let left = ["a", "b"].map { SessionImage.Call(call: CallScript.call($0, timeout: 10), progress: .waiting) }
    _ = CallScript.actions { machine.restore(left, &$0) }
    let later = CallMoment(now: 15 * CallScript.second, mayDeliver: true)
    let actions = CallScript.actions { machine.readmit(turnID: "t", refusal: { _ in "" }, at: later, &$0) }
    #expect(actions.delivered.map(\.error) == ["Timed out after 10s"])
    #expect(actions.started == ["b"])
  }

  @Test func anInterruptedCallIsAnsweredAndNotRun() {
    var machine = machine()
    let image = [SessionImage.Call(call: CallScript.call("a"), progress: .intended)]
    _ = CallScript.actions { machine.restore(image, &$0) }
    let actions = CallScript.actions { effects in
      machine.readmit(turnID: "t", refusal: { $0 }, at: now, &effects)
      machine.book.redeliverResults(&effects)
    }
    #expect(actions.started.isEmpty && actions.delivered.map(\.error) == [CallMachine.interruption])
  }

  @Test func theSuccessorKnowsWhatStillRunsAndNothingElse() {
    var machine = machine()
    _ = request("a", "runs", &machine)
    _ = request("b", "asks", &machine)
    let next = machine.successor()
    #expect(next.slots.held == 1 && next.book.batches.isEmpty)
    #expect(next.book.unfinished(turnID: nil).isEmpty)
  }
}
