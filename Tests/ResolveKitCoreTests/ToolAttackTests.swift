import Testing

@testable import ResolveKitCore

/// A hostile or broken backend: nothing traps, grows without end, or runs twice.
struct ToolAttackTests {
  private func key(_ callID: String) -> ToolCallKey { ToolCallKey(turnID: "t", callID: callID) }

  @Test func aHundredThousandCallsStayBounded() {
    var policy = TurnPolicy()
    policy.maximumCalls = 16
    policy.maximumBatchSize = 8
    policy.maximumEventIDs = 16
    var machine = TurnMachine.running(policy: policy)
    var started: Set<String> = []
    for number in 0..<100_000 {
      let name = number.isMultiple(of: 3) ? "asks" : "auto"
      let data = """
        {"type":"tool_call_request","turn_id":"t","payload":{"call_id":"c\(number)","function_name":"\(name)"}}
        """
      let event = StreamEvent(
        generation: 1, id: "e\(number)", type: "", data: data, arrivedAt: MonotonicNanoseconds(number))
      for callID in machine.handle(.streamEvent(event)).started {
        #expect(started.insert(callID).inserted)
      }
    }
    #expect(started.count == policy.maximumRunningTools)
    #expect(machine.calls.slots.calls.count <= policy.maximumCalls)
    #expect(machine.batches.map(\.items.count).reduce(0, +) == policy.maximumCalls)
    #expect(machine.batches.count <= ApprovalDesk.maximumBatches)
  }

  @Test func manyTurnsOfCallsThatNobodyDecidesLeaveNothingBehind() {
    var policy = TurnPolicy()
    policy.maximumCalls = 16
    var machine = TurnMachine.open(policy: policy)
    for turn in 0..<2_000 {
      let name = "t\(turn)"
      let now = MonotonicNanoseconds(turn) * 1_000_000_000
      _ = machine.handle(.sendRequested(OutgoingMessage(requestID: name, text: "x"), at: now))
      for call in 0..<4 {
        let payload: JSONObject = ["call_id": .string("c\(call)"), "function_name": "asks"]
        _ = machine.handle(.event("\(turn).\(call)", "tool_call_request", payload, turn: name, request: name, at: now))
      }
      _ = machine.handle(.event("\(turn)", "turn_complete", ["full_text": ""], turn: name, request: name, at: now))
      #expect(machine.calls.slots.calls.count <= 4)
    }
    #expect(machine.batches.count <= policy.maximumCalls + ApprovalDesk.maximumBatches)
  }

  @Test func oneIdAThousandTimesStartsOnce() {
    var machine = TurnMachine.running()
    var started = 0
    for number in 0..<1_000 {
      started +=
        machine.handle(.call("e\(number)", "same", "auto", arguments: ["n": .number(Double(number % 7))])).started.count
    }
    #expect(started == 1)
    #expect(machine.batches.map { $0.items.count } == [1])
  }

  @Test(arguments: ["", String(repeating: "\u{10FFFF}", count: 256)])
  func anIdThatTheBackendRefusesStartsNothing(callID: String) {
    var machine = TurnMachine.running()
    #expect(machine.handle(.call("1", callID, "auto")).started.isEmpty)
    #expect(machine.batches.isEmpty && machine.calls.slots.calls.isEmpty)
  }

  @Test func idsThatDifferInBytesAreDifferentCalls() {
    // NUL, composed and decomposed, and ids that only their length tells apart.
    let ids = [
      "a", "a\u{0}", "\u{0}", "\u{0}\u{0}", "caf\u{E9}", "cafe\u{301}", "\u{1E9B}\u{323}", "\u{1E9B}\u{323}\u{0}",
    ]
    var policy = TurnPolicy()
    policy.maximumRunningTools = 100
    var machine = TurnMachine.running(policy: policy)
    for (number, id) in ids.enumerated() {
      let started = machine.handle(.call("\(number)", id, "auto")).started
      #expect(started.map { Array($0.utf8) } == [Array(id.utf8)])
    }
    #expect(machine.calls.slots.held == ids.count)
    for id in ids {
      let done = machine.handle(.toolFinished(key(id), .success(.string(id)), at: 3)).delivered
      #expect(done.map { Array($0.callID.utf8) } == [Array(id.utf8)])
    }
    #expect(machine.calls.slots.held == 0)
  }

  @Test func aDecisionOnOneTwinDoesNotReachTheOther() {
    var machine = TurnMachine.running()
    _ = machine.handle(.call("1", "caf\u{E9}", "asks", at: 0))
    _ = machine.handle(.call("2", "cafe\u{301}", "asks", at: 0))
    _ = machine.handle(.deadlinePassed(.batchWindow(batchID: 1), at: 250_000_000))
    let decided = machine.decided(batchID: 1, .approveOnce, only: [key("cafe\u{301}")], at: 3)
    #expect(decided.started.map { Array($0.utf8) } == [Array("cafe\u{301}".utf8)])
    #expect(machine.question?.calls.map { Array($0.id.utf8) } == [Array("caf\u{E9}".utf8)])
    #expect(machine.decided(batchID: 1, .approveOnce, only: [key("cafe")], at: 3).refusals == [.notShown])
  }

  @Test func aToolIsCalledByExactlyItsName() {
    var machine = TurnMachine.running()
    machine.calls.use([ToolPolicy(name: "caf\u{E9}", requiresApproval: false)])
    #expect(machine.handle(.call("1", "a", "cafe\u{301}")).delivered.map(\.status) == [.error])
    #expect(machine.handle(.call("2", "b", "caf\u{E9}")).started == ["b"])
  }
}
