import Testing

@testable import ResolveKitCore

/// Tables of single situations: what comes in, what must go out.
struct TurnMachineTests {
  @Test func theWayToAnOpenStream() {
    var machine = TurnMachine()
    #expect(
      machine.handle(.startRequested(tools: [])) == [
        .setConnectionState(.registering, attempt: 0, reason: nil), .register,
      ])
    #expect(
      machine.handle(.registered) == [
        .setConnectionState(.connecting, attempt: 0, reason: nil), .createSession,
      ])
    #expect(
      machine.handle(.sessionCreated(sessionID: "s", isReused: false)) == [
        .openStream(generation: 1, cursor: nil)
      ])
    #expect(
      machine.handle(.streamOpened(generation: 1, at: 1)) == [
        .setConnectionState(.active, attempt: 0, reason: nil)
      ])
    #expect(machine.sessionID == "s")
  }

  @Test func aCleanEndIsResumedSilently() {
    var machine = TurnMachine.open()
    #expect(machine.handle(.streamEnded(generation: 1, isClean: true, reason: nil, resumesAtOnce: true)).isEmpty)
    #expect(machine.handle(.streamConnecting(generation: 1, attempt: 1)).isEmpty)
    #expect(machine.handle(.streamOpened(generation: 1, at: 2)).isEmpty)
    #expect(machine.connectionState == .active)
  }

  @Test func aLossIsShownUntilTheNextEvent() {
    var machine = TurnMachine.open()
    #expect(
      machine.handle(.streamEnded(generation: 1, isClean: false, reason: "reset", resumesAtOnce: false)) == [
        .setConnectionState(.reconnecting, attempt: 0, reason: "reset")
      ])
    #expect(
      machine.handle(.streamConnecting(generation: 1, attempt: 3)) == [
        .setConnectionState(.reconnecting, attempt: 3, reason: "reset")
      ])
    #expect(
      machine.handle(.streamOpened(generation: 1, at: 2)) == [
        .setConnectionState(.reconnected, attempt: 0, reason: nil)
      ])
    _ = machine.handle(.event("9", "whatever", [:], at: 3))
    #expect(machine.connectionState == .active)
  }

  @Test(arguments: [401, 403, 404, 410])
  func aRefusedStreamRenewsTheSessionOnce(status: Int) {
    var machine = TurnMachine.open()
    let failure = RequestFailure(status: status, code: "chat_unavailable", message: "no")
    let first = machine.handle(.streamRefused(generation: 1, failure))
    #expect(first.contains(.createSession) && first.contains(.closeStream))
    #expect(
      machine.handle(.sessionCreated(sessionID: "s", isReused: true)) == [
        .openStream(generation: 2, cursor: nil)
      ])
    #expect(
      machine.handle(
        .streamEvent(
          StreamEvent(
            generation: 1, id: "1", type: "x", data: "{}", arrivedAt: 1))) == [.note(.staleStream(generation: 1))])
    let second = machine.handle(.streamRefused(generation: 2, failure))
    #expect(!second.contains(.createSession))
    #expect(machine.connectionState == (status == 401 || status == 403 ? .blocked : .failed))
  }

  @Test func onlyARefusedRenewalBlocks() {
    var machine = TurnMachine.open()
    let failure = RequestFailure(status: 403, code: "chat_unavailable", message: "no")
    _ = machine.handle(.streamRefused(generation: 1, failure))
    #expect(machine.connectionState == .reconnecting)
    _ = machine.handle(.sessionFailed(failure))
    #expect(machine.connectionState == .blocked)
    #expect(machine.handle(.startRequested(tools: [])).contains(.register))
  }

  @Test func aPassingFailureOfTheRenewalIsTriedAgain() {
    var machine = TurnMachine.open()
    _ = machine.handle(.streamRefused(generation: 1, RequestFailure(status: 410, message: "gone")))
    for attempt in 1...3 {
      #expect(
        machine.handle(.sessionFailed(RequestFailure(status: 503, message: "busy"))).contains(
          .retryAfterBackoff(.createSession, attempt: attempt)))
      #expect(machine.handle(.retryDue(.createSession)) == [.createSession])
    }
    _ = machine.handle(.sessionCreated(sessionID: "s", isReused: true))
    #expect(
      machine.handle(.streamOpened(generation: 2, at: 9)) == [
        .setConnectionState(.reconnected, attempt: 0, reason: nil)
      ])
  }

  @Test func theFirstFailureToConnectIsReported() {
    var machine = TurnMachine()
    _ = machine.handle(.startRequested(tools: []))
    _ = machine.handle(.registered)
    let actions = machine.handle(.sessionFailed(RequestFailure(message: "refused")))
    #expect(actions.last == .setConnectionState(.failed, attempt: 0, reason: "refused"))
  }

  @Test(arguments: [(true, nil), (false, 401), (false, 403)] as [(Bool, Int?)])
  func aFinalRegistrationFailureBlocks(isFinal: Bool, status: Int?) {
    var machine = TurnMachine()
    _ = machine.handle(.startRequested(tools: []))
    _ = machine.handle(.registrationFailed(RequestFailure(status: status, message: "no"), isFinal: isFinal))
    #expect(machine.connectionState == .blocked)
  }

  @Test func aCursorTooOldIsDroppedAndTheHistoryAsked() {
    var machine = TurnMachine.running()
    _ = machine.handle(.event("5", "assistant_text_delta", ["delta": "a", "accumulated": "a"]))
    let refused = machine.handle(
      .streamRefused(generation: 1, RequestFailure(status: 410, code: "cursor_expired", message: "too old")))
    #expect(refused.contains(.openStream(generation: 2, cursor: nil)))
    #expect(machine.handle(.streamOpened(generation: 2, at: 9)).contains(.loadHistory))
    #expect(machine.statistics.gaps == 1)
    let replayed = StreamEvent(
      generation: 2, id: "5", type: "x", data: #"{"type":"x"}"#, arrivedAt: 9)
    #expect(machine.handle(.streamEvent(replayed)).contains(.note(.duplicateEvent(id: "5"))))
  }

  @Test func aPoisonEventIsSkippedAndTheCursorMoves() {
    var machine = TurnMachine.running()
    for (id, data) in [("1", "{"), ("2", "[]"), ("3", #"{"type":"assistant_text_delta","turn_id":"t"}"#), ("4", "")] {
      let actions = machine.handle(
        .streamEvent(StreamEvent(generation: 1, id: id, type: "message", data: data, arrivedAt: 5)))
      #expect(actions.last == .advanceCursor(id))
    }
    #expect(machine.statistics.poisonEvents == 3)
    #expect(machine.cursor == "4")
    #expect(machine.isTurnInProgress)
  }

  @Test func idsThatDifferInNormalisationAreTwo() {
    var machine = TurnMachine.running()
    _ = machine.handle(.event("\u{e9}", "a", [:]))
    let actions = machine.handle(.event("e\u{301}", "a", [:]))
    #expect(!actions.contains { if case .note(.duplicateEvent) = $0 { true } else { false } })
  }

  @Test func anAdoptedSessionIsShownAndNeverExecuted() {
    var machine = TurnMachine()
    _ = machine.handle(.startRequested(tools: SimulatedSession.tools))
    _ = machine.handle(.registered)
    #expect(machine.handle(.sessionCreated(sessionID: "s", isReused: true)) == [.loadHistory])
    let history = [
      HistoryMessage(id: "1", role: "user", content: "q"), HistoryMessage(id: "2", role: "assistant", content: "a"),
    ]
    #expect(
      machine.handle(.historyLoaded(history, at: 1)) == [
        .showHistory(history), .openStream(generation: 1, cursor: nil),
      ])
    _ = machine.handle(.streamOpened(generation: 1, at: 2))
    #expect(machine.connectionState == .reconnected)
    let call: JSONObject = ["call_id": "c", "function_name": "auto"]
    let replayed = machine.handle(.event("1", "tool_call_request", call, turn: "old", request: "old"))
    #expect(replayed.contains(.note(.foreignCall(ToolCallKey(turnID: "old", callID: "c")))))
    #expect(!replayed.contains { if case .startTool = $0 { true } else { false } })
    let known = machine.handle(.event("2", "turn_complete", ["full_text": "a"], turn: "old", request: "old"))
    #expect(!known.contains(.showForeignAnswer(turnID: "old", text: "a")))
    let other = machine.handle(.event("3", "turn_complete", ["full_text": "b"], turn: "older", request: "older"))
    #expect(other.contains(.showForeignAnswer(turnID: "older", text: "b")))
  }

  @Test func anotherSessionEndsARunningTurnAndForgetsTheCursor() {
    var machine = TurnMachine.running()
    _ = machine.handle(.event("5", "assistant_text_delta", ["delta": "a", "accumulated": "a"]))
    _ = machine.handle(.streamRefused(generation: 1, RequestFailure(status: 404, message: "Session not found")))
    let actions = machine.handle(.sessionCreated(sessionID: "new", isReused: false))
    #expect(actions.results.map(\.status) == [.failed])
    #expect(actions.results.first?.failure?.code == "session_replaced")
    #expect(actions.contains(.openStream(generation: 2, cursor: nil)))
  }

  @Test func stopEndsEverything() {
    var machine = TurnMachine.running()
    _ = machine.handle(.call("1", "c", "auto"))
    let actions = machine.handle(.stopRequested)
    #expect(actions.contains(.closeStream))
    #expect(actions.contains(.cancelTool(ToolCallKey(turnID: "t", callID: "c"))))
    #expect(actions.results.map(\.status) == [.cancelled])
    #expect(machine.connectionState == .idle)
    #expect(machine.handle(.stopRequested).isEmpty)
    #expect(machine.handle(.event("2", "turn_complete", ["full_text": "x"])) == [.note(.staleStream(generation: 1))])
  }
}
