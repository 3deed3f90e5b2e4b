import Testing

@testable import ResolveKitCore

/// Invariant 9: nothing that needs approval starts without a decision that is bound to the tool, its definition and the
/// call; deny beats allow; unknown fails closed; an approval that outlives the deadline starts nothing.
struct ToolApprovalTests {
  private let second: MonotonicNanoseconds = 1_000_000_000
  private func key(_ callID: String) -> ToolCallKey { ToolCallKey(turnID: "t", callID: callID) }
  private func standing(_ tool: String, _ verdict: ApprovalVerdict) -> StandingApproval {
    StandingApproval(fingerprint: tool, toolName: tool, verdict: verdict)
  }

  /// A machine that asks about the calls.
  private func asking(_ calls: [String], timeout: Int = 30) -> TurnMachine {
    var machine = TurnMachine.running()
    for call in calls {
      _ = machine.handle(.call("e-\(call)", call, "asks", timeout: timeout, at: 0))
      _ = machine.handle(.policyDecided(key(call), nil, at: 0))
    }
    _ = machine.handle(.deadlinePassed(.batchWindow(batchID: 1), at: second / 4))
    return machine
  }

  @Test func invariant9NothingStartsWithoutADecision() {
    var machine = TurnMachine.running()
    let called = machine.handle(.call("1", "a", "asks"))
    #expect(called.started.isEmpty)
    #expect(called.contains { if case .consultPolicy(let call) = $0 { call.key == key("a") } else { false } })
    #expect(machine.handle(.policyDecided(key("a"), nil, at: 3)).started.isEmpty)
    #expect(machine.handle(.policyDecided(key("a"), .unknown, at: 3)).started.isEmpty)
    #expect(machine.handle(.deadlinePassed(.batchWindow(batchID: 1), at: second)).started.isEmpty)
    #expect(machine.decided(batchID: 1, .approveOnce, only: [key("b")], at: second).started.isEmpty)
    #expect(machine.decided(batchID: 1, .approveOnce, only: [key("a")], at: second).started == ["a"])
    // A decision is used once.
    _ = machine.handle(.call("2", "c", "asks", at: second))
    #expect(machine.handle(.policyDecided(key("c"), nil, at: second)).started.isEmpty)
  }

  @Test(arguments: ApprovalDecision.allCases)
  func invariant9AnApprovalAfterTheDeadlineStartsNothingAndSaysWhy(decision: ApprovalDecision) {
    var machine = asking(["a"], timeout: 10)
    let actions = machine.decided(batchID: 1, decision, only: [], at: 10 * second)
    #expect(actions.started.isEmpty)
    #expect(actions.refusals == (decision.approves ? [.tooLate] : []))
    #expect(actions.delivered.map(\.status) == [.error])
    let reason = decision.approves ? "Approved too late: the backend waited 10 s" : "User denied action"
    #expect(machine.batches[0].items.map(\.status) == [.cancelled(reason)])
    // What came too late reaches no later call either.
    _ = machine.handle(.call("2", "b", "asks", at: 11 * second))
    #expect(machine.handle(.policyDecided(key("b"), nil, at: 11 * second)).started.isEmpty)
  }

  @Test func invariant9AnApprovalAfterTheQuestionWasWithdrawnStartsNothing() {
    var machine = asking(["a"], timeout: 10)
    let expired = machine.handle(.deadlinePassed(.toolCall(key("a")), at: 10 * second))
    #expect(expired.contains(.withdrawApproval(batchID: 1)))
    let late = machine.decided(batchID: 1, .approveAlways, only: [], at: 10 * second)
    #expect(late == [.note(.refusedDecision(.over))])
  }

  @Test func invariant9DenyBeatsAllow() {
    // The policy against a standing yes, and a standing no against the policy.
    for (policy, rule, starts) in [
      (ApprovalVerdict.deny, ApprovalVerdict.allow, false), (.allow, .deny, false), (nil, .allow, true),
      (.allow, .allow, true), (nil, .deny, false), (.allow, .unknown, false), (nil, .unknown, false),
      (.unknown, .allow, false),
    ] {
      var machine = TurnMachine.running()
      _ = machine.handle(.standingApprovalsChanged([standing("asks", rule)], at: 1))
      let called = machine.handle(.call("1", "a", "asks"))
      let decided = machine.handle(.policyDecided(key("a"), policy, at: 3))
      #expect(called.started.isEmpty)
      #expect(decided.started == (starts ? ["a"] : []), "policy \(String(describing: policy)), rule \(rule)")
    }
    // Two words on one tool.
    var machine = TurnMachine.running()
    _ = machine.handle(.standingApprovalsChanged([standing("asks", .deny), standing("asks", .allow)], at: 1))
    #expect(machine.handle(.call("1", "a", "asks")).delivered.map(\.error) == ["User denied action"])
    // A standing no on a tool that asks for no approval.
    _ = machine.handle(.standingApprovalsChanged([standing("auto", .deny)], at: 1))
    #expect(machine.handle(.call("2", "b", "auto")).started.isEmpty)
  }

  @Test func invariant9DenyBeatsAnApprovalThatHasNotStarted() {
    var policy = TurnPolicy()
    policy.maximumRunningTools = 1
    var machine = TurnMachine.running(policy: policy)
    for call in ["a", "b", "c"] { _ = machine.handle(.call(call, call, "asks", at: 0)) }
    _ = machine.handle(.deadlinePassed(.batchWindow(batchID: 1), at: second))
    #expect(machine.decided(batchID: 1, .approveOnce, only: [], at: second).started == ["a"])
    let denied = machine.decided(batchID: 1, .deny, only: [key("a"), key("b")], at: second)
    #expect(denied.delivered.map(\.callID) == ["b"])
    // An approval cannot bring it back.
    #expect(machine.decided(batchID: 1, .approveOnce, only: [key("b")], at: second).started.isEmpty)
    #expect(machine.handle(.toolFinished(key("a"), .success(1), at: second)).started == ["c"])
  }

  @Test func aStandingDecisionIsKeptOnceAndCountsAtOnce() {
    var machine = asking(["a", "b"])
    let decided = machine.decided(batchID: 1, .approveAlways, only: [], at: second)
    #expect(decided.filter { $0 == .keepApproval(standing("asks", .allow)) }.count == 1)
    #expect(decided.started == ["a", "b"])
    _ = machine.handle(.call("2", "c", "asks", at: second))
    #expect(machine.handle(.policyDecided(key("c"), nil, at: second)).started == ["c"])
    // Revoked, a person is asked again.
    _ = machine.handle(.standingApprovalsChanged([], at: second))
    _ = machine.handle(.call("3", "d", "asks", at: second))
    #expect(machine.handle(.policyDecided(key("d"), nil, at: second)).started.isEmpty)
  }

  @Test func aStandingDenialEndsWhatWaitsAndWhatComes() {
    var machine = asking(["a", "b"])
    let decided = machine.decided(batchID: 1, .denyAlways, only: [key("a")], at: second)
    #expect(decided.contains(.keepApproval(standing("asks", .deny))))
    #expect(decided.delivered.map(\.callID) == ["a"])
    // Told by the shell, as of another program: what waits ends too.
    let reported = machine.handle(.standingApprovalsChanged([standing("asks", .deny)], at: second))
    #expect(reported.delivered.map(\.callID) == ["b"])
    #expect(reported.contains(.withdrawApproval(batchID: 1)))
    #expect(machine.handle(.call("2", "c", "asks", at: second)).delivered.map(\.callID) == ["c"])
    #expect(machine.batches.last?.state == .declined)
  }

  @Test func aDecisionOnTheWholeBatchAndOnSingleCalls() {
    var machine = asking(["a", "b", "c"])
    #expect(machine.question?.calls.map(\.id) == ["a", "b", "c"])
    #expect(machine.decided(batchID: 1, .approveOnce, only: [key("b")], at: second).started == ["b"])
    #expect(machine.question?.calls.map(\.id) == ["a", "c"])
    let declined = machine.decided(batchID: 1, .deny, only: [], at: second)
    #expect(declined.delivered.map(\.callID) == ["a", "c"])
    #expect(machine.question == nil)
  }

  @Test func whatIsAllowedForTheSessionIsNotAskedAboutInLaterBatches() {
    var machine = asking(["a"])
    _ = machine.handle(.call("2", "b", "asks", at: second))
    _ = machine.handle(.policyDecided(key("b"), nil, at: second))
    let decided = machine.decided(batchID: 1, .approveForSession, only: [], at: second)
    #expect(decided.started == ["a", "b"])
    #expect(machine.handle(.deadlinePassed(.batchWindow(batchID: 2), at: 2 * second)).asked.isEmpty)
  }

  @Test func anotherSessionIsAskedAgain() {
    var machine = asking(["a"])
    _ = machine.decided(batchID: 1, .approveForSession, only: [], at: second)
    var next = machine.successor()
    #expect(next.calls.tools.verdict(on: SimulatedSession.tools[1]) == nil)
    _ = next.handle(.standingApprovalsChanged([standing("asks", .allow)], at: 1))
    #expect(next.successor().calls.tools.verdict(on: SimulatedSession.tools[1]) == .allow)
    // The backend replaced the session.
    _ = machine.handle(.streamRefused(generation: 1, RequestFailure(status: 410, message: "expired")))
    _ = machine.handle(.sessionCreated(sessionID: "s2", isReused: false))
    #expect(machine.calls.tools.verdict(on: SimulatedSession.tools[1]) == nil)
  }

  @Test func aToolWithoutFingerprintIsAllowedForTheSessionAtMost() {
    let tool = ToolPolicy(name: "x", requiresApproval: true)
    var rules = ApprovalRules()
    #expect(rules.stand(.allow, on: tool) == nil)
    rules.replaceStanding(by: [StandingApproval(fingerprint: "", toolName: "x", verdict: .allow)])
    #expect(rules.verdict(on: tool) == nil)
  }

  @Test(arguments: ["", "ALLOW", "allow ", "yes", "allow\u{0}"])
  func invariant9AnUnknownWordFailsClosed(text: String) {
    #expect(ApprovalVerdict(text: text) == .unknown)
  }
}
