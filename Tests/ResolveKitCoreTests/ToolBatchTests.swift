import Testing

@testable import ResolveKitCore

/// Invariant 16: the window of a batch is 250 ms from its first call, with a hard maximum of calls; each call is in
/// exactly one batch; a replayed call joins none.
struct ToolBatchTests {
  private let window: MonotonicNanoseconds = 250_000_000
  private func key(_ callID: String) -> ToolCallKey { ToolCallKey(turnID: "t", callID: callID) }

  private func ids(_ machine: TurnMachine) -> [[String]] { machine.batches.map { $0.items.map(\.id) } }

  @Test func invariant16TheWindowIsCountedFromTheFirstCallAndDoesNotSlide() {
    var machine = TurnMachine.running()
    let first = machine.handle(.call("1", "a", "asks", at: 1000))
    #expect(first.contains(.scheduleDeadline(.batchWindow(batchID: 1), at: 1000 + window)))
    // Calls that come before its end join and do not move it.
    for (number, at) in [100_000_000, 200_000_000, 250_000_999].enumerated() {
      let joined = machine.handle(.call("\(number + 2)", "b\(number)", "asks", at: MonotonicNanoseconds(at)))
      #expect(!joined.contains { if case .scheduleDeadline(.batchWindow, _) = $0 { true } else { false } })
    }
    // One that comes at its end opens the next, also where the shell is late to report the end.
    _ = machine.handle(.call("9", "c", "asks", at: 1000 + window))
    #expect(ids(machine) == [["a", "b0", "b1", "b2"], ["c"]])
  }

  @Test(arguments: [1, 2, 3, 64])
  func invariant16ABatchHasAHardMaximum(limit: Int) {
    var policy = TurnPolicy()
    policy.maximumBatchSize = limit
    var machine = TurnMachine.running(policy: policy)
    for number in 1...(2 * limit + 1) {
      let actions = machine.handle(.call("\(number)", "c\(number)", "asks", at: 7))
      // A full batch has nothing to wait for.
      if number.isMultiple(of: limit) {
        #expect(actions.contains(.scheduleDeadline(.batchWindow(batchID: number / limit), at: 7)))
      }
    }
    #expect(machine.batches.map(\.items.count) == [limit, limit, 1])
  }

  @Test func invariant16EachCallIsInExactlyOneBatchAndAReplayedOneInNone() {
    var machine = TurnMachine.running()
    for number in 0..<10 {
      let at = MonotonicNanoseconds(number) * 100_000_000
      _ = machine.handle(.call("\(number)", "c\(number)", number.isMultiple(of: 2) ? "asks" : "auto", at: at))
    }
    let before = ids(machine)
    #expect(before.flatMap(\.self) == (0..<10).map { "c\($0)" })
    // The same events again; the same calls in events of their own; the same ids with other arguments.
    for number in 0..<10 {
      let again = machine.handle(.call("\(number)", "c\(number)", "asks", at: 2_000_000_000))
      #expect(again.started.isEmpty && again.asked.isEmpty)
      _ = machine.handle(.call("x\(number)", "c\(number)", "asks", at: 2_000_000_000))
      _ = machine.handle(.call("y\(number)", "c\(number)", "auto", arguments: ["n": 1], at: 2_000_000_000))
    }
    #expect(ids(machine) == before)
  }

  @Test func aCallWithoutApprovalStartsAtOnceAndJoinsTheBatchAsRunning() {
    var machine = TurnMachine.running()
    _ = machine.handle(.call("1", "a", "asks", at: 1))
    let second = machine.handle(.call("2", "b", "auto", at: 2))
    #expect(second.started == ["b"])
    #expect(machine.batches.map(\.state) == [.executing])
    #expect(machine.batches[0].items.map(\.status) == [.pendingApproval, .running])
    // No status of it before that one was shown.
    let shown = second.compactMap { if case .toolStatusChanged(_, _, let status) = $0 { status } else { nil } }
    #expect(shown == [.running])
    // Only the other one is asked about.
    let asked = machine.handle(.deadlinePassed(.batchWindow(batchID: 1), at: 1 + window)).asked
    #expect(asked.map { $0.calls.map(\.id) } == [["a"]])
  }

  @Test func aBatchWithNothingToAskIsPassedOver() {
    var machine = TurnMachine.running()
    _ = machine.handle(.call("1", "a", "auto", at: 1))
    let actions = machine.handle(.deadlinePassed(.batchWindow(batchID: 1), at: 1 + window))
    #expect(actions.asked.isEmpty)
    _ = machine.handle(.toolFinished(key("a"), .success(1), at: 1 + window))
    #expect(machine.batches.map(\.state) == [.finished])
  }

  @Test func statesOfABatchAreTheDocumentedOnes() {
    var policy = TurnPolicy()
    policy.maximumRunningTools = 1
    var machine = TurnMachine.running(policy: policy)
    _ = machine.handle(.call("0", "other", "auto", at: 0))
    _ = machine.handle(.call("1", "a", "asks", at: window))
    _ = machine.handle(.call("2", "b", "asks", at: window))
    _ = machine.handle(.deadlinePassed(.batchWindow(batchID: 1), at: window))
    _ = machine.handle(.deadlinePassed(.batchWindow(batchID: 2), at: 2 * window))
    var states = [machine.batches[1].state]
    _ = machine.decided(batchID: 2, .approveOnce, only: [], at: 2 * window)
    states.append(machine.batches[1].state)
    _ = machine.handle(.toolFinished(key("other"), .success(1), at: 2 * window))
    states.append(machine.batches[1].state)
    _ = machine.handle(.toolFinished(key("a"), .success(1), at: 2 * window))
    _ = machine.handle(.toolFinished(key("b"), .failure("broke"), at: 2 * window))
    states.append(machine.batches[1].state)
    #expect(states == [.awaitingApproval, .approved, .executing, .finished])
    #expect(machine.batches[1].items.map(\.status) == [.completed, .failed("broke")])
  }

  @Test func theHistoryIsBoundedAndOutlivesTheLedger() {
    var policy = TurnPolicy()
    policy.maximumCalls = 4
    var machine = TurnMachine.open(policy: policy)
    for turn in 1...200 {
      let now = MonotonicNanoseconds(turn) * 1_000_000_000
      let name = "t\(turn)"
      _ = machine.handle(.sendRequested(OutgoingMessage(requestID: name, text: "x"), at: now))
      _ = machine.handle(.messageAccepted(requestID: name, turnID: name, at: now))
      _ = machine.handle(
        .event(
          "\(turn)", "tool_call_request", ["call_id": "c", "function_name": "auto"], turn: name, request: name, at: now)
      )
      let key = ToolCallKey(turnID: name, callID: "c")
      _ = machine.handle(.toolFinished(key, .success(1), at: now))
      _ = machine.handle(.resultAccepted(key, deduplicated: false, at: now))
      _ = machine.handle(.deadlinePassed(.batchWindow(batchID: turn), at: now + window))
      _ = machine.handle(.event("end\(turn)", "turn_complete", ["full_text": ""], turn: name, request: name, at: now))
    }
    #expect(machine.batches.count == ApprovalDesk.maximumBatches)
    #expect(machine.batches.map(\.id) == Array(73...200))
    #expect(machine.batches.allSatisfy { $0.state == .finished && $0.items.map(\.status) == [.completed] })
  }
}
