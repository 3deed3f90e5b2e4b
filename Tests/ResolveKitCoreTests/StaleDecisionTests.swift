import Testing

@testable import ResolveKitCore

/// Invariant 9, of the person's side: a decision counts for what was shown, and for nothing else.
struct StaleDecisionTests {
  private let second: MonotonicNanoseconds = 1_000_000_000
  private func key(_ callID: String) -> ToolCallKey { ToolCallKey(turnID: "t", callID: callID) }

  /// A machine that asks about calls of one batch, which wait for so many seconds.
  private func asking(_ calls: [(id: String, timeout: Int)]) throws -> (TurnMachine, ResolveKitApprovalRequest) {
    var machine = TurnMachine.running()
    let question = try ask(&machine, calls, batchID: 1, at: 0)
    return (machine, question)
  }

  private func ask(
    _ machine: inout TurnMachine, _ calls: [(id: String, timeout: Int)], batchID: Int, at now: MonotonicNanoseconds
  ) throws -> ResolveKitApprovalRequest {
    for (id, timeout) in calls {
      _ = machine.handle(
        .call("e-\(id)-\(batchID)", id, "asks", arguments: ["path": "/srv"], timeout: timeout, at: now))
    }
    _ = machine.handle(.deadlinePassed(.batchWindow(batchID: batchID), at: now + second / 4))
    return try #require(machine.question)
  }

  private func decide(
    _ machine: inout TurnMachine, _ decision: ApprovalDecision, on shown: ResolveKitApprovalRequest,
    only: [String]? = nil, at now: MonotonicNanoseconds
  ) -> [TurnAction] {
    let expected = machine.outcome(of: decision, on: shown, only: only, at: now)
    let actions = machine.handle(.approvalDecided(decision, on: shown, only: only, at: now))
    #expect(expected == (actions.refusals.first.map { .refused($0) } ?? .counted))
    return actions
  }

  @Test(arguments: ApprovalDecision.allCases)
  func aDecisionOnAnAnsweredBatchReachesNoBatchThatLooksTheSame(decision: ApprovalDecision) throws {
    var (machine, first) = try asking([("a", 30)])
    #expect(decide(&machine, .deny, on: first, at: second).contains(.withdrawApproval(batchID: 1)))
    let other = try ask(&machine, [("b", 30)], batchID: 2, at: second)
    #expect(other.calls.map(\.argumentsText) == first.calls.map(\.argumentsText))
    #expect(decide(&machine, decision, on: first, at: 2 * second) == [.note(.refusedDecision(.over))])
    #expect(machine.question == other)
    #expect(decide(&machine, .approveOnce, on: other, at: 2 * second).started == ["b"])
  }

  @Test func aDecisionIsRefusedAsAWholeWhereACallNoLongerWaits() throws {
    var (machine, shown) = try asking([("a", 5), ("b", 60)])
    let expired = machine.handle(.deadlinePassed(.toolCall(key("a")), at: 5 * second))
    #expect(expired.asked.map { $0.calls.map(\.callID) } == [["b"]])
    for decision in ApprovalDecision.allCases {
      #expect(decide(&machine, decision, on: shown, at: 6 * second) == [.note(.refusedDecision(.changed))])
    }
    let left = try #require(expired.asked.first)
    #expect(decide(&machine, .approveOnce, on: left, at: 6 * second).started == ["b"])
  }

  @Test func aYesThatIsTooLateForOneCallRunsNoneAndTheRestIsAskedAbout() throws {
    var (machine, shown) = try asking([("a", 5), ("b", 60)])
    let late = decide(&machine, .approveAlways, on: shown, at: 5 * second)
    #expect(late.refusals == [.tooLate] && late.started.isEmpty)
    #expect(!late.contains { if case .keepApproval = $0 { true } else { false } })
    #expect(late.delivered.map(\.callID) == ["a"])
    #expect(late.asked.map { $0.calls.map(\.callID) } == [["b"]])
  }

  @Test func aDecisionThatCrossesTheTurnsEndStartsNothing() throws {
    for end: TurnEvent in [
      .cancelRequested(at: second), .event("end", "turn_complete", ["full_text": ""]), .stopRequested,
    ] {
      var (machine, shown) = try asking([("a", 30)])
      #expect(machine.handle(end).contains(.withdrawApproval(batchID: 1)))
      #expect(decide(&machine, .approveOnce, on: shown, at: second) == [.note(.refusedDecision(.over))])
    }
  }

  @Test func aDecisionIsBoundToEachByteOfWhatWasShown() throws {
    var (machine, shown) = try asking([("a", 30)])
    let call = try #require(shown.calls.first)
    func other(
      _ id: String = "a", name: String = "asks", arguments: JSONObject = ["path": "/srv"], words: String = ""
    ) -> ResolveKitApprovalRequest {
      ResolveKitApprovalRequest(
        batchID: 1, turnID: "t",
        calls: [
          ResolveKitPendingToolCall(
            callID: id, functionName: name, arguments: arguments, timeoutSeconds: 30, humanDescription: words,
            requiresApproval: true)
        ])
    }
    #expect(other().calls == [call])
    for stale in [
      other("b"), other(name: "auto"), other(arguments: ["path": "/etc"]), other(arguments: ["path": "/srv "]),
      other(arguments: [:]), other(words: "harmless"),
      ResolveKitApprovalRequest(batchID: 1, turnID: "t", calls: [call, call]),
    ] {
      #expect(decide(&machine, .approveOnce, on: stale, at: second) == [.note(.refusedDecision(.changed))])
    }
    for stale in [
      ResolveKitApprovalRequest(batchID: 2, turnID: "t", calls: [call]),
      ResolveKitApprovalRequest(batchID: 1, turnID: "u", calls: [call]),
      ResolveKitApprovalRequest(batchID: 1, turnID: "t", calls: []),
    ] {
      #expect(decide(&machine, .approveOnce, on: stale, at: second) == [.note(.refusedDecision(.over))])
    }
    #expect(decide(&machine, .approveOnce, on: other(), at: second).started == ["a"])
  }

  @Test func wordsThatOnlyNormalisationMakesEqualAreNotWhatWasShown() throws {
    var machine = TurnMachine.running()
    _ = machine.handle(.call("1", "a", "asks", arguments: ["path": "caf\u{E9}"], at: 0))
    _ = machine.handle(.deadlinePassed(.batchWindow(batchID: 1), at: second))
    let shown = try #require(machine.question)
    let twin = ResolveKitPendingToolCall(
      callID: "a", functionName: "asks", arguments: ["path": "cafe\u{301}"], timeoutSeconds: 30, humanDescription: "",
      requiresApproval: true)
    let stale = ResolveKitApprovalRequest(batchID: 1, turnID: "t", calls: [twin])
    #expect(stale == shown)
    #expect(decide(&machine, .approveOnce, on: stale, at: second).refusals == [.changed])
  }

  @Test(arguments: [ApprovalDecision.approveForSession, .approveAlways])
  func aWiderYesOnOneCallLeavesTheOthersOfItsQuestionToThePerson(decision: ApprovalDecision) throws {
    var (machine, shown) = try asking([("a", 30), ("b", 30), ("c", 30)])
    let decided = decide(&machine, decision, on: shown, only: ["b"], at: second)
    #expect(decided.started == ["b"])
    #expect(decided.asked.map { $0.calls.map(\.callID) } == [["a", "c"]])
    // The first question is another one now, as a whole; what it showed of single calls still holds.
    #expect(decide(&machine, .approveOnce, on: shown, at: second).refusals == [.changed])
    #expect(decide(&machine, .approveOnce, on: shown, only: ["b", "c"], at: second).refusals == [.changed])
    #expect(decide(&machine, .approveOnce, on: shown, only: ["c"], at: second).started == ["c"])
    #expect(decide(&machine, .approveOnce, on: shown, only: ["b"], at: second).refusals == [.over])
    #expect(decide(&machine, .approveOnce, on: shown, only: ["d"], at: second).refusals == [.notShown])
    #expect(decide(&machine, .approveOnce, on: shown, only: [], at: second).refusals == [.notShown])
  }

  @Test func aNoToSingleCallsCountsForEachThatHasNotStarted() throws {
    var (machine, shown) = try asking([("a", 5), ("b", 60), ("c", 60)])
    _ = machine.handle(.deadlinePassed(.toolCall(key("a")), at: 5 * second))
    let denied = decide(&machine, .deny, on: shown, only: ["a", "b"], at: 6 * second)
    #expect(denied.delivered.map(\.callID) == ["b"])
    #expect(denied.asked.map { $0.calls.map(\.callID) } == [["c"]])
  }

  /// Batches are counted again in a new process.
  @Test func aDecisionOnAQuestionOfAnEarlierProcessReachesNoOtherCall() throws {
    let (_, shown) = try asking([("a", 30)])
    var next = TurnMachine.running()
    let other = try ask(&next, [("b", 30)], batchID: 1, at: 0)
    #expect(decide(&next, .approveOnce, on: shown, at: second).refusals == [.changed])
    #expect(next.question == other)
  }

  @Test func aStandingNoFromElsewhereChangesTheQuestion() throws {
    var machine = TurnMachine.running()
    _ = machine.handle(.call("1", "a", "asks", at: 0))
    _ = machine.handle(
      .event("2", "tool_call_request", ["call_id": "b", "function_name": "auto", "requires_approval": true], at: 0))
    _ = machine.handle(.deadlinePassed(.batchWindow(batchID: 1), at: second))
    let shown = try #require(machine.question)
    let no = StandingApproval(fingerprint: "auto", toolName: "auto", verdict: .deny)
    let reported = machine.handle(.standingApprovalsChanged([no], at: second))
    #expect(reported.asked.map { $0.calls.map(\.callID) } == [["a"]])
    #expect(decide(&machine, .approveOnce, on: shown, at: second).refusals == [.changed])
  }
}
