import Testing

@testable import ResolveKitCore

/// Calls and results whose connection ends before they are settled.
struct ToolResultsAtAStopTests {
  private func key(_ callID: String) -> ToolCallKey { ToolCallKey(turnID: "t", callID: callID) }

  @Test func aResultThatWasOnItsWayAtAStopLeavesNoDeadline() {
    var machine = TurnMachine.running()
    _ = machine.handle(.call("1", "c", "auto"))
    let payload = machine.handle(.toolFinished(key("c"), .success(1), at: 0)).delivered
    _ = machine.handle(.stopRequested)
    #expect(machine.handle(.resultFailed(key("c"), RequestFailure(message: "cancelled"), at: 1)).isEmpty)
    _ = machine.handle(.startRequested(tools: SimulatedSession.tools))
    _ = machine.handle(.registered)
    _ = machine.handle(.sessionCreated(sessionID: "s", isReused: true))
    #expect(machine.handle(.streamOpened(generation: 2, at: 2)).delivered == payload)
  }

  /// Nor does a start that fails take what waits.
  @Test func aResultThatWaitedAtAStopGoesOutWithTheNextStream() {
    var machine = TurnMachine.running()
    _ = machine.handle(.call("1", "c", "auto"))
    let payload = machine.handle(.toolFinished(key("c"), .success(1), at: 0)).delivered
    _ = machine.handle(.resultFailed(key("c"), RequestFailure(status: 503, message: "busy"), at: 1))
    #expect(machine.handle(.stopRequested).contains(.cancelDeadline(.resultRetry(key("c")))))
    _ = machine.handle(.startRequested(tools: SimulatedSession.tools))
    _ = machine.handle(.registrationFailed(RequestFailure(message: "offline"), isFinal: false))
    _ = machine.handle(.startRequested(tools: SimulatedSession.tools))
    _ = machine.handle(.registered)
    _ = machine.handle(.sessionCreated(sessionID: "s", isReused: true))
    #expect(machine.handle(.streamOpened(generation: machine.link.generation, at: 2)).delivered == payload)
  }

  /// The backend waits for them: without a result the turn, and with it the next message, would wait for its time-outs.
  @Test(arguments: [false, true]) func callsAtTheEndOfTheConnectionAreAnsweredWithTheNextStream(isGivenUp: Bool) {
    var machine = TurnMachine.running()
    _ = machine.handle(.call("1", "waits", "asks"))
    _ = machine.handle(.call("2", "runs", "auto"))
    let end: TurnEvent = isGivenUp ? .journalFailed(RequestFailure(status: 401, message: "no")) : .stopRequested
    let actions = machine.handle(end)
    #expect(actions.contains(.cancelTool(key("runs"))) && actions.delivered.isEmpty)
    _ = machine.handle(.startRequested(tools: SimulatedSession.tools))
    _ = machine.handle(.registered)
    _ = machine.handle(.sessionCreated(sessionID: "s", isReused: true))
    let delivered = machine.handle(.streamOpened(generation: 2, at: 2)).delivered
    #expect(Set(delivered.map(\.callID)) == ["waits", "runs"])
    #expect(Set(delivered.map(\.error)) == [isGivenUp ? "The connection was given up" : "Stopped"])
  }

  @Test func anotherSessionLearnsNothingOfThem() {
    var machine = TurnMachine.running()
    _ = machine.handle(.call("1", "runs", "auto"))
    _ = machine.handle(.stopRequested)
    _ = machine.handle(.startRequested(tools: SimulatedSession.tools))
    _ = machine.handle(.registered)
    #expect(
      machine.handle(.sessionCreated(sessionID: "s2", isReused: false)).contains(
        .resultSettled(key("runs"), .abandoned)))
    #expect(machine.handle(.streamOpened(generation: 2, at: 2)).delivered.isEmpty)
  }

  /// Nor of a result that was on its way when the session was replaced, and failed after that.
  @Test func aResultOnItsWayGoesToNoOtherSession() {
    var machine = TurnMachine.running()
    _ = machine.handle(.call("1", "c", "auto"))
    _ = machine.handle(.toolFinished(key("c"), .success(1), at: 0))
    _ = machine.handle(.streamRefused(generation: 1, RequestFailure(status: 426, message: "too old")))
    _ = machine.handle(.startRequested(tools: SimulatedSession.tools))
    _ = machine.handle(.registered)
    _ = machine.handle(.sessionCreated(sessionID: "s2", isReused: false))
    _ = machine.handle(.streamOpened(generation: 2, at: 2))
    #expect(machine.handle(.resultFailed(key("c"), RequestFailure(message: "lost"), at: 3)).isEmpty)
  }
}
