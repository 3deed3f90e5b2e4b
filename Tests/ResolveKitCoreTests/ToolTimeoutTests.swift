import Testing

@testable import ResolveKitCore

/// Invariant 10: a time-out is a deadline; a late result is discarded and logged; the place of a tool that runs on stays
/// accounted for. Beside it: the limit on running tools, lanes, progress.
struct ToolTimeoutTests {
  private let second: MonotonicNanoseconds = 1_000_000_000
  private func key(_ callID: String) -> ToolCallKey { ToolCallKey(turnID: "t", callID: callID) }

  private func machine(limit: Int, tools: [ToolPolicy]? = nil) -> TurnMachine {
    var policy = TurnPolicy()
    policy.maximumRunningTools = limit
    var machine = TurnMachine.running(policy: policy)
    if let tools { machine.calls.use(tools) }
    return machine
  }

  @Test func invariant10TheResultGoesOutAtTheDeadlineAndALateOneIsDropped() {
    var machine = machine(limit: 4)
    #expect(
      machine.handle(.call("1", "a", "auto", timeout: 5, at: 0)).contains(
        .scheduleDeadline(.toolCall(key("a")), at: 5 * second)))
    let expired = machine.handle(.deadlinePassed(.toolCall(key("a")), at: 5 * second))
    #expect(expired.contains(.cancelTool(key("a"))))
    #expect(expired.delivered.map(\.error) == ["Timed out after 5s"])
    let late = machine.handle(.toolFinished(key("a"), .success("late"), at: 60 * second))
    #expect(late == [.note(.lateOutcome(key("a")))])
    #expect(machine.batches[0].items.map(\.status) == [.failed("Timed out after 5s")])
  }

  @Test func invariant10ATimeoutCountsFromTheStartEvenWhereTheBackendWaitsLonger() {
    var machine = machine(limit: 4)
    _ = machine.handle(.call("1", "a", "auto", timeout: 30, at: 0))
    // The backend awaits b after a, until 60 s; the tool itself has 30.
    let second = machine.handle(.call("2", "b", "auto", timeout: 30, at: 0))
    let moments = second.compactMap { action -> MonotonicNanoseconds? in
      if case .scheduleDeadline(.toolCall(key("b")), let at) = action { at } else { nil }
    }
    #expect(moments.last == 30 * self.second)
    #expect(
      machine.handle(.deadlinePassed(.toolCall(key("b")), at: 30 * self.second)).contains(.cancelTool(key("b"))))
  }

  @Test func invariant10ThePlaceOfAToolThatRunsOnStaysTaken() {
    var machine = machine(limit: 1)
    _ = machine.handle(.call("1", "a", "auto", timeout: 5, at: 0))
    _ = machine.handle(.call("2", "b", "auto", timeout: 5, at: 0))
    #expect(machine.handle(.deadlinePassed(.toolCall(key("a")), at: 5 * second)).started.isEmpty)
    #expect(machine.calls.slots.held == 1)
    #expect(machine.handle(.toolFinished(key("a"), .success(1), at: 6 * second)).started == ["b"])
    // One that never returns: what waits behind it is answered at its own deadline, and says why.
    _ = machine.handle(.call("3", "c", "auto", timeout: 5, at: 6 * second))
    _ = machine.handle(.deadlinePassed(.toolCall(key("b")), at: 11 * second))
    let starved = machine.handle(.deadlinePassed(.toolCall(key("c")), at: 16 * second))
    #expect(starved.delivered.map(\.error) == ["Timed out after 5s"])
    #expect(
      starved.contains(
        .toolStatusChanged(
          key("c"), functionName: "auto", .cancelled("Timed out: no place to run it came free"))))
    #expect(machine.calls.slots.held == 1)
  }

  @Test func invariant10APlaceThatComesFreeAfterTheDeadlineStartsNothing() {
    var machine = machine(limit: 1)
    _ = machine.handle(.call("1", "a", "auto", timeout: 5, at: 0))
    _ = machine.handle(.call("2", "b", "auto", timeout: 5, at: 0))
    _ = machine.handle(.deadlinePassed(.toolCall(key("a")), at: 5 * second))
    // Told before the timer of b's deadline, which was at 10 s.
    let freed = machine.handle(.toolFinished(key("a"), .success(1), at: 20 * second))
    #expect(freed.started.isEmpty)
    #expect(freed.delivered.map(\.callID) == ["b"])
    #expect(freed.delivered.map(\.error) == ["Timed out after 5s"])
    #expect(machine.calls.slots.held == 0)
  }

  @Test func invariant10APlaceIsFreedOnceHoweverOftenItEnds() {
    var machine = machine(limit: 1)
    _ = machine.handle(.call("1", "a", "auto", at: 0))
    _ = machine.handle(.call("2", "b", "auto", at: 0))
    _ = machine.handle(.call("3", "c", "auto", at: 0))
    #expect(machine.handle(.toolFinished(key("a"), .success(1), at: 1)).started == ["b"])
    for _ in 0..<3 { #expect(machine.handle(.toolFinished(key("a"), .success(1), at: 1)).started.isEmpty) }
    #expect(machine.handle(.toolFinished(key("z"), .success(1), at: 1)).started.isEmpty)
    #expect(machine.calls.slots.held == 1)
  }

  @Test func theEndOfATurnAndItsCancellationCancelItsToolsAndKeepTheirPlaces() {
    for event in [TurnEvent.cancelRequested(at: 3), .event("9", "turn_complete", ["full_text": ""]), .stopRequested] {
      var machine = machine(limit: 2)
      for call in ["a", "b", "c"] { _ = machine.handle(.call(call, call, "auto", at: 0)) }
      let actions = machine.handle(event)
      #expect(actions.contains(.cancelTool(key("a"))) && actions.contains(.cancelTool(key("b"))))
      #expect(!actions.contains(.cancelTool(key("c"))) && actions.started.isEmpty)
      #expect(machine.calls.slots.held == 2)
      #expect(machine.successor().calls.slots.held == 2)
      _ = machine.handle(.toolFinished(key("a"), .success(1), at: 4))
      #expect(machine.handle(.toolFinished(key("b"), .success(1), at: 4)).started.isEmpty)
      #expect(machine.calls.slots.calls.isEmpty)
    }
  }

  @Test(arguments: [1, 2, 4])
  func noMoreToolsRunThanAllowed(limit: Int) {
    var machine = machine(limit: limit)
    var running: [String] = []
    for number in 0..<9 { running += machine.handle(.call("\(number)", "c\(number)", "auto", at: 0)).started }
    var order = running
    #expect(running.count == limit)
    while !running.isEmpty {
      let started = machine.handle(.toolFinished(key(running.removeFirst()), .success(1), at: 1)).started
      running += started
      order += started
      #expect(running.count <= limit)
    }
    #expect(order == (0..<9).map { "c\($0)" })
  }

  private let laned = [
    ToolPolicy(name: "write", requiresApproval: false, serialKey: "disk"),
    ToolPolicy(name: "erase", requiresApproval: true, serialKey: "disk"),
    ToolPolicy(name: "read", requiresApproval: false),
  ]

  @Test func callsOfOneLaneNeverOverlapAndKeepTheirOrder() {
    var machine = machine(limit: 4, tools: laned)
    #expect(machine.handle(.call("1", "w1", "write", at: 0)).started == ["w1"])
    #expect(machine.handle(.call("2", "w2", "write", at: 0)).started.isEmpty)
    #expect(machine.handle(.call("3", "e", "erase", at: 0)).started.isEmpty)
    #expect(machine.handle(.call("4", "w3", "write", at: 0)).started.isEmpty)
    // Another lane, or none, is not held up.
    #expect(machine.handle(.call("5", "r", "read", at: 0)).started == ["r"])
    #expect(machine.handle(.toolFinished(key("w1"), .success(1), at: 1)).started == ["w2"])
    // What waits for a person keeps its place in the lane.
    #expect(machine.handle(.toolFinished(key("w2"), .success(1), at: 1)).started.isEmpty)
    _ = machine.handle(.deadlinePassed(.batchWindow(batchID: 1), at: second))
    #expect(machine.decided(batchID: 1, .approveOnce, only: [], at: second).started == ["e"])
    #expect(machine.handle(.toolFinished(key("e"), .success(1), at: second)).started == ["w3"])
  }

  @Test func aLaneContinuesPastWhatWasDeniedAndWaitsForWhatRunsOn() {
    var machine = machine(limit: 4, tools: laned)
    _ = machine.handle(.call("1", "e", "erase", timeout: 5, at: 0))
    _ = machine.handle(.call("2", "w1", "write", timeout: 5, at: 0))
    _ = machine.handle(.call("3", "w2", "write", timeout: 5, at: 0))
    #expect(machine.handle(.policyDecided(key("e"), .deny, at: 1)).started == ["w1"])
    // Its time is up, its body is not.
    #expect(machine.handle(.deadlinePassed(.toolCall(key("w1")), at: 5 * second)).started.isEmpty)
    #expect(machine.handle(.toolFinished(key("w1"), .success(1), at: 6 * second)).started == ["w2"])
  }

  @Test func progressIsShownWhileTheToolRuns() {
    var machine = machine(limit: 1)
    let half = ResolveKitToolProgress(fraction: 0.5, message: "half")
    _ = machine.handle(.call("1", "a", "auto", at: 0))
    _ = machine.handle(.call("2", "b", "auto", at: 0))
    let shown = machine.handle(.toolProgressed(key("a"), half))
    #expect(shown == [.showBatch(machine.batches[0])])
    #expect(machine.batches[0].items.map(\.progress) == [half, nil])
    #expect(machine.batches[0].items.map(\.status) == [.running, .pendingApproval])
    #expect(machine.handle(.toolProgressed(key("b"), half)).isEmpty)
    _ = machine.handle(.toolFinished(key("a"), .success(1), at: 1))
    #expect(machine.handle(.toolProgressed(key("a"), half)).isEmpty)
    #expect(machine.batches[0].items.map(\.progress) == [nil, nil])
  }

  @Test func aReportIsBounded() throws {
    let long = ResolveKitToolProgress(fraction: .infinity, message: String(repeating: "é", count: 10_000))
    #expect(long.fraction == 1)
    #expect(long.message.utf8.count <= ResolveKitToolProgress.maximumMessageBytes)
    #expect(long.message.hasSuffix("é…"))
    #expect(ResolveKitToolProgress(fraction: .nan).fraction == nil)
    #expect(ResolveKitToolProgress(fraction: -3).fraction == 0)
    let bytes = try ResolveKitJSON.encode(long)
    #expect(try ResolveKitJSON.decode(ResolveKitToolProgress.self, from: bytes) == long)
  }
}
