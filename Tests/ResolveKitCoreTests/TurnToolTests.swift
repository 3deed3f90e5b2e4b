import Testing

@testable import ResolveKitCore

/// Calls: asked for, started once, answered once.
struct TurnToolTests {
  private let second: MonotonicNanoseconds = 1_000_000_000
  private func key(_ callID: String) -> ToolCallKey { ToolCallKey(turnID: "t", callID: callID) }

  @Test func anAutomaticToolStartsAtOnce() {
    var machine = TurnMachine.running()
    let actions = machine.handle(.call("1", "c", "auto"))
    #expect(actions.started == ["c"])
    #expect(actions.contains(.toolStatusChanged(key("c"), functionName: "auto", .running)))
    #expect(machine.handle(.deadlinePassed(.batchWindow(batchID: 1), at: second)).asked.isEmpty)
    let done = machine.handle(.toolFinished(key("c"), .success(["a": 1]), at: 3))
    #expect(done.delivered.map(\.result) == [["a": 1]])
    #expect(done.delivered.map(\.idempotencyKey) == ["c"])
    #expect(machine.handle(.toolFinished(key("c"), .success(2), at: 4)) == [.note(.lateOutcome(key("c")))])
    #expect(
      machine.handle(.resultAccepted(key("c"), deduplicated: false, at: 5)).contains(
        .resultSettled(key("c"), .accepted)))
  }

  @Test func callsOfOneWindowAreAskedTogetherAndRunInOrder() {
    var policy = TurnPolicy()
    policy.maximumRunningTools = 1
    var machine = TurnMachine.running(policy: policy)
    let first = machine.handle(.call("1", "a", "asks", at: 1000))
    #expect(first.contains(.scheduleDeadline(.batchWindow(batchID: 1), at: 250_001_000)))
    _ = machine.handle(.call("2", "b", "asks", at: 100_000_000))
    let asked = machine.handle(.deadlinePassed(.batchWindow(batchID: 1), at: 250_001_000)).asked
    #expect(asked.first?.calls.map(\.id) == ["a", "b"])
    #expect(machine.batches.map(\.state) == [.awaitingApproval])
    // A later call belongs to the next batch, which is asked about after this one.
    _ = machine.handle(.call("3", "c", "asks", at: 260_000_000))
    #expect(machine.handle(.deadlinePassed(.batchWindow(batchID: 2), at: second)).asked.isEmpty)
    let approved = machine.decided(batchID: 1, .approveOnce, only: [], at: second)
    #expect(approved.started == ["a"])
    #expect(approved.asked.map(\.batchID) == [2])
    #expect(machine.handle(.toolFinished(key("a"), .success(1), at: second)).started == ["b"])
    let denied = machine.decided(batchID: 2, .deny, only: [], at: second)
    #expect(denied.delivered.map(\.error) == ["User denied action"])
    #expect(machine.batches.map(\.state) == [.executing, .declined])
    _ = machine.handle(.toolFinished(key("b"), .failure("broke"), at: second))
    #expect(machine.batches.first?.state == .finished)
    #expect(machine.batches.first?.items.map(\.status) == [.completed, .failed("broke")])
  }

  @Test func approvalForTheSessionHoldsForTheSameDefinition() {
    var machine = TurnMachine.running()
    _ = machine.handle(.call("1", "a", "asks"))
    _ = machine.handle(.deadlinePassed(.batchWindow(batchID: 1), at: second))
    _ = machine.decided(batchID: 1, .approveForSession, only: [], at: second)
    _ = machine.handle(.toolFinished(key("a"), .success(1), at: second))
    #expect(machine.handle(.call("2", "b", "asks")).started.isEmpty)
    #expect(machine.handle(.policyDecided(key("b"), nil, at: second)).started == ["b"])
    _ = machine.handle(.stopRequested)
    _ = machine.handle(
      .startRequested(tools: [ToolPolicy(name: "asks", requiresApproval: true, fingerprint: "changed")]))
    _ = machine.handle(.registered)
    _ = machine.handle(.sessionCreated(sessionID: "s", isReused: true))
    _ = machine.handle(.streamOpened(generation: 2, at: second))
    _ = machine.handle(.sendRequested(OutgoingMessage(requestID: "r3", text: "x"), at: second))
    let data =
      #"{"type":"tool_call_request","turn_id":"t3","request_id":"r3","payload":{"call_id":"c","function_name":"asks"}}"#
    let again = StreamEvent(generation: 2, id: "9", type: "x", data: data, arrivedAt: second)
    #expect(machine.handle(.streamEvent(again)).started.isEmpty)
    let changed = ToolCallKey(turnID: "t3", callID: "c")
    #expect(machine.handle(.policyDecided(changed, nil, at: second)).started.isEmpty)
  }

  @Test func theStricterWordOnApprovalWins() {
    var machine = TurnMachine.running()
    let asked = machine.handle(
      .event(
        "1", "tool_call_request",
        [
          "call_id": "a", "function_name": "auto", "requires_approval": true,
        ]))
    #expect(asked.started.isEmpty)
    let still = machine.handle(
      .event(
        "2", "tool_call_request",
        [
          "call_id": "b", "function_name": "asks", "requires_approval": false,
        ]))
    #expect(still.started.isEmpty)
  }

  @Test func aDecisionCountsForTheBatchThatIsAskedAboutOnly() {
    var machine = TurnMachine.running()
    _ = machine.handle(.call("1", "a", "asks"))
    #expect(machine.decided(batchID: 1, .approveOnce, only: [], at: 3).started.isEmpty)
    #expect(machine.decided(batchID: 7, .approveOnce, only: [], at: 3).started.isEmpty)
    _ = machine.handle(.call("2", "b", "asks"))
    _ = machine.handle(.deadlinePassed(.batchWindow(batchID: 1), at: second))
    #expect(machine.decided(batchID: 1, .approveOnce, only: [key("b")], at: 3).started == ["b"])
    #expect(machine.decided(batchID: 1, .deny, only: [], at: 3).delivered.map(\.callID) == ["a"])
  }

  @Test func approvalAfterTheDeadlineStartsNothing() {
    var machine = TurnMachine.running()
    _ = machine.handle(.call("1", "a", "asks", timeout: 10, at: 0))
    _ = machine.handle(.deadlinePassed(.batchWindow(batchID: 1), at: second))
    let actions = machine.decided(batchID: 1, .approveOnce, only: [], at: 10 * second)
    #expect(actions.started.isEmpty)
    #expect(actions.delivered.map(\.error) == ["Timed out after 10s"])
  }

  @Test func theDeadlineEndsAWaitAndARun() {
    var machine = TurnMachine.running()
    _ = machine.handle(.call("1", "a", "auto", timeout: 5, at: 0))
    #expect(
      machine.handle(.deadlinePassed(.toolCall(key("a")), at: 4 * second)) == [
        .scheduleDeadline(.toolCall(key("a")), at: 5 * second)
      ])
    let expired = machine.handle(.deadlinePassed(.toolCall(key("a")), at: 5 * second))
    #expect(expired.contains(.cancelTool(key("a"))))
    #expect(expired.delivered.map(\.error) == ["Timed out after 5s"])
    #expect(machine.handle(.toolFinished(key("a"), .success(1), at: 6 * second)).delivered.isEmpty)

    _ = machine.handle(.deadlinePassed(.batchWindow(batchID: 1), at: 6 * second))
    _ = machine.handle(.call("2", "b", "asks", timeout: 5, at: 10 * second))
    _ = machine.handle(.deadlinePassed(.batchWindow(batchID: 2), at: 11 * second))
    let withdrawn = machine.handle(.deadlinePassed(.toolCall(key("b")), at: 15 * second))
    #expect(withdrawn.contains(.withdrawApproval(batchID: 2)))
    #expect(withdrawn.contains(.toolStatusChanged(key("b"), functionName: "asks", .cancelled("Timed out"))))
  }

  @Test func theClockOfACallStartsWhenTheOneBeforeIsSettled() {
    var machine = TurnMachine.running()
    _ = machine.handle(.call("1", "a", "auto", timeout: 30, at: 0))
    let next = machine.handle(.call("2", "b", "asks", timeout: 30, at: 0))
    #expect(next.contains(.scheduleDeadline(.toolCall(key("b")), at: 60 * second)))
    _ = machine.handle(.toolFinished(key("a"), .success(1), at: 5 * second))
    #expect(
      machine.handle(.resultAccepted(key("a"), deduplicated: false, at: 6 * second)).contains(
        .scheduleDeadline(.toolCall(key("b")), at: 36 * second)))
  }

  @Test(arguments: ["", String(repeating: "x", count: 256)])
  func aCallThatCannotBeAnsweredIsNotRun(callID: String) {
    var machine = TurnMachine.running()
    let actions = machine.handle(.call("1", callID, "auto"))
    #expect(actions.started.isEmpty && actions.delivered.isEmpty)
    #expect(actions.contains(.note(.unanswerableCall(key(callID)))))
  }

  @Test func anUnknownFunctionIsAnswered() {
    var machine = TurnMachine.running()
    #expect(machine.handle(.call("1", "c", "nothing")).delivered.map(\.error) == ["Unknown function: nothing"])
  }

  @Test func aCallIdUsedAgainNeverStartsASecondTool() {
    var machine = TurnMachine.running()
    _ = machine.handle(.call("1", "c", "auto", arguments: ["n": 1]))
    #expect(machine.handle(.call("2", "c", "auto", arguments: ["n": 1])).started.isEmpty)
    let payload = machine.handle(.toolFinished(key("c"), .success(1), at: 3)).delivered
    #expect(machine.handle(.call("3", "c", "auto", arguments: ["n": 1])).started.isEmpty)
    _ = machine.handle(.resultAccepted(key("c"), deduplicated: false, at: 4))
    #expect(machine.handle(.call("5", "c", "auto", arguments: ["n": 1])).started.isEmpty)
    let other = machine.handle(.call("4", "c", "auto", arguments: ["n": 2]))
    #expect(other.started.isEmpty)
    #expect(other.delivered.map(\.status) == [.error])
    #expect(other.delivered.first?.idempotencyKey != payload.first?.idempotencyKey)
  }

  @Test func aResultIsDeliveredUntilItIsSettled() {
    var machine = TurnMachine.running()
    _ = machine.handle(.call("1", "c", "auto"))
    let payload = machine.handle(.toolFinished(key("c"), .success(1), at: 0)).delivered
    for pause in [1, 2, 4, 8, 16, 30, 30] as [UInt64] {
      let failed = machine.handle(.resultFailed(key("c"), RequestFailure(status: 503, message: "busy"), at: 0))
      #expect(failed.contains(.scheduleDeadline(.resultRetry(key("c")), at: pause * second)))
      #expect(machine.handle(.deadlinePassed(.resultRetry(key("c")), at: 0)).delivered == payload)
    }
    let gone = RequestFailure(status: 404, message: "No pending tool call with this ID")
    #expect(machine.handle(.resultFailed(key("c"), gone, at: 0)).contains(.resultSettled(key("c"), .refused(gone))))
    #expect(machine.handle(.deadlinePassed(.resultRetry(key("c")), at: 0)).isEmpty)
  }

  @Test func aResultThatWaitsGoesOutWithTheNextStream() {
    var machine = TurnMachine.running()
    _ = machine.handle(.call("1", "c", "auto"))
    let payload = machine.handle(.toolFinished(key("c"), .success(1), at: 0)).delivered
    _ = machine.handle(.resultFailed(key("c"), RequestFailure(status: 401, message: "expired"), at: 0))
    #expect(machine.connectionState == .reconnecting)
    _ = machine.handle(.sessionCreated(sessionID: "s", isReused: true))
    #expect(machine.handle(.streamOpened(generation: 2, at: 1)).delivered == payload)
  }

  @Test func aValueThatIsNestedTooDeepBecomesAnError() {
    var deep = JSONValue.null
    for _ in 0..<200 { deep = [deep] }
    var machine = TurnMachine.running()
    _ = machine.handle(.call("1", "c", "auto"))
    let delivered = machine.handle(.toolFinished(key("c"), .success(deep), at: 0)).delivered
    #expect(delivered.map(\.status) == [.error])
  }

  @Test func aValueThatIsTooLongIsCutVisibly() throws {
    var machine = TurnMachine.running()
    _ = machine.handle(.call("1", "c", "auto"))
    let long = JSONValue.string(String(repeating: "x", count: 1 << 20))
    let delivered = machine.handle(.toolFinished(key("c"), .success(long), at: 0)).delivered
    #expect(delivered.map(\.status) == [.success])
    guard case .string(let text)? = delivered.first?.result else { throw LongValueError() }
    #expect(text.utf8.count <= TurnPolicy().maximumResultBytes)
    #expect(text.contains("[cut: the first "))
  }

  private struct LongValueError: Error {}

  @Test func cancellationAnswersEveryCall() {
    var machine = TurnMachine.running()
    _ = machine.handle(.call("1", "a", "auto"))
    _ = machine.handle(.call("2", "b", "asks"))
    _ = machine.handle(.deadlinePassed(.batchWindow(batchID: 1), at: second))
    let cancelled = machine.handle(.cancelRequested(at: second))
    #expect(cancelled.contains(.cancelTool(key("a"))))
    #expect(cancelled.contains(.withdrawApproval(batchID: 1)))
    #expect(cancelled.delivered.map(\.callID) == ["a", "b"])
    let late = machine.handle(.call("3", "c", "auto"))
    #expect(late.started.isEmpty)
    #expect(late.delivered.map(\.error) == ["Cancelled by the user"])
  }

  @Test func theEndOfTheTurnWithdrawsWhatWaits() {
    var machine = TurnMachine.running()
    _ = machine.handle(.call("1", "a", "asks"))
    _ = machine.handle(.deadlinePassed(.batchWindow(batchID: 1), at: second))
    let ended = machine.handle(.event("2", "turn_complete", ["full_text": "x"]))
    #expect(ended.contains(.withdrawApproval(batchID: 1)))
    #expect(ended.delivered.isEmpty)
    #expect(machine.decided(batchID: 1, .approveOnce, only: [], at: second).started.isEmpty)
  }

  @Test func theLedgerIsBoundedAndForgetsNothingOfTheTurn() {
    var policy = TurnPolicy()
    policy.maximumCalls = 3
    policy.maximumRunningTools = 10
    var machine = TurnMachine.running(policy: policy)
    for number in 1...3 { #expect(machine.handle(.call("\(number)", "c\(number)", "auto")).started.count == 1) }
    #expect(machine.handle(.call("4", "c4", "auto")).started.isEmpty)
    _ = machine.handle(.event("5", "turn_complete", ["full_text": ""]))
    _ = machine.handle(.sendRequested(OutgoingMessage(requestID: "r2", text: "x"), at: 3))
    let next = machine.handle(
      .event("6", "tool_call_request", ["call_id": "c1", "function_name": "auto"], turn: "t2", request: "r2"))
    #expect(next.started == ["c1"])
  }

  @Test func aCallOfATurnThatWasGivenUpIsNotAnsweredInTheUsersName() {
    var machine = TurnMachine.running()
    _ = machine.handle(.journalFailed(RequestFailure(message: "the disk is full")))
    _ = machine.handle(.startRequested(tools: SimulatedSession.tools))
    _ = machine.handle(.registered)
    _ = machine.handle(.sessionCreated(sessionID: "s", isReused: true))
    _ = machine.handle(.streamOpened(generation: 2, at: 2))
    let late = machine.handle(
      .event("1", "tool_call_request", ["call_id": "a", "function_name": "runs"], generation: 2))
    #expect(late.started.isEmpty && late.delivered.map(\.error) == ["The turn was given up"])
  }
}
