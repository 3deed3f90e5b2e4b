import Testing

@testable import ResolveKitCore

/// Call ids that a provider uses more than once in a turn.
struct RepeatedCallTests {
  private func key(_ callID: String, repetition: String? = nil) -> ToolCallKey {
    ToolCallKey(turnID: "t", callID: callID, repetition: repetition)
  }

  /// A machine whose call "c" of "auto" has run with the result 1.
  private func answered() -> TurnMachine {
    var machine = TurnMachine.running()
    _ = machine.handle(.call("1", "c", "auto"))
    _ = machine.handle(.toolFinished(key("c"), .success(1), at: 3))
    return machine
  }

  /// Whatever is known of the first result: the stream may bring the repetition before the response that accepts it.
  @Test(arguments: [nil, false, true] as [Bool?])
  func answersTheSameCallWithTheSameResultUnderAFreshKey(deduplicated: Bool?) {
    var machine = answered()
    if let deduplicated { _ = machine.handle(.resultAccepted(key("c"), deduplicated: deduplicated, at: 4)) }
    for event in ["2", "3"] {
      let again = machine.handle(.call(event, "c", "auto", at: 5))
      #expect(again.started.isEmpty)
      #expect(again.delivered.map(\.result) == [1])
      #expect(again.delivered.map(\.callID) == ["c"])
      #expect(
        again.delivered.map(\.idempotencyKey) == ["\(event)#c"], "a backend drops what comes under a key it knows")
      #expect(machine.handle(.call(event, "c", "auto", at: 6)).delivered.isEmpty)
      let settled = machine.handle(.resultAccepted(key("c", repetition: event), deduplicated: false, at: 7))
      #expect(settled.contains(.resultSettled(key("c", repetition: event), .accepted)))
    }
  }

  @Test("Invariant 14: results that were taken are kept up to a limit in sum, and none is run for again")
  func settledResultsAreBounded() {
    var policy = TurnPolicy()
    policy.maximumKeptResultBytes = 150
    var machine = TurnMachine.running(policy: policy)
    let result = JSONValue.string(String(repeating: "x", count: 60))
    for id in ["a", "b", "c"] {
      _ = machine.handle(.call("1\(id)", id, "auto"))
      _ = machine.handle(.toolFinished(key(id), .success(result), at: 3))
      _ = machine.handle(.resultAccepted(key(id), deduplicated: false, at: 4))
    }
    let oldest = machine.handle(.call("2a", "a", "auto", at: 5))
    #expect(oldest.started.isEmpty && oldest.delivered.map(\.result) == [nil])
    #expect(oldest.delivered.first?.error?.contains("no longer kept") == true)
    let newest = machine.handle(.call("2c", "c", "auto", at: 5))
    #expect(newest.started.isEmpty && newest.delivered.map(\.result) == [result])
  }

  @Test func answersTheSameFailureUnderAFreshKey() {
    var machine = TurnMachine.running()
    _ = machine.handle(.call("1", "c", "auto"))
    _ = machine.handle(.toolFinished(key("c"), .failure("broke"), at: 3))
    #expect(machine.handle(.call("2", "c", "auto", at: 5)).delivered.map(\.error) == ["broke"])
  }

  @Test func ignoresADuplicateAndRefusesAnotherCallWhileTheFirstRuns() {
    var machine = TurnMachine.running()
    _ = machine.handle(.call("1", "c", "auto"))
    let same = machine.handle(.call("2", "c", "auto", at: 3))
    #expect(same.started.isEmpty && same.delivered.isEmpty)
    let other = machine.handle(.call("3", "c", "auto", arguments: ["n": 1], at: 3))
    #expect(other.started.isEmpty)
    #expect(other.delivered.map { $0.error?.contains("used before") } == [true])
  }
}
