import Testing

@testable import ResolveKitCore

/// A session that was taken up from a journal, as long as its stream is not open.
struct TurnRestoringTests {
  private let message = OutgoingMessage(requestID: "r", text: "hi")

  private func image(_ entries: [JournalEntry]) -> SessionImage {
    let session: [JournalEntry] = [.session(id: "s"), .history([])]
    var image = SessionImage()
    image.apply(JournalRecord(sequence: 1, wallMilliseconds: 1, time: 1, entries: session + entries))
    return image
  }

  private func call(_ callID: String, _ function: String) -> ToolCall {
    ToolCall(
      key: ToolCallKey(turnID: "t", callID: callID),
      request: ResolveKitToolCallRequest(callID: callID, functionName: function, arguments: [:]),
      requiresApproval: function == "asks", arrivedAt: 1)
  }

  /// A call with a result that was not delivered.
  private func answered(_ callID: String) -> [JournalEntry] {
    let call = call(callID, "auto")
    let payload = ResolveKitToolResultPayload(
      turnID: "t", idempotencyKey: callID, callID: callID, status: .success, result: 1)
    return [.call(call), .intended(call), .result(call.key, payload, .completed)]
  }

  private func restored(_ image: SessionImage) -> TurnMachine {
    var machine = TurnMachine()
    _ = machine.handle(.startRequested(tools: SimulatedSession.tools))
    _ = machine.handle(.restored(image, at: 1))
    return machine
  }

  private func open(_ machine: inout TurnMachine) -> [TurnAction] {
    _ = machine.handle(.registered)
    _ = machine.handle(.sessionCreated(sessionID: "s", isReused: true))
    return machine.handle(.streamOpened(generation: machine.link.generation, at: 3))
  }

  @Test(
    "Invariants 8 and 12: an end before the stream is open takes nothing from the journal",
    arguments: [
      TurnEvent.registrationFailed(RequestFailure(message: "offline"), isFinal: false),
      .registrationFailed(RequestFailure(status: 401, message: "no"), isFinal: true),
      .journalFailed(RequestFailure(message: "full")), .stopRequested,
    ])
  func anEndBeforeTheStreamIsOpenTakesNothing(end: TurnEvent) {
    let began: [JournalEntry] = [.message(message, at: 1), .heard(turnID: "t")]
    let waiting: [JournalEntry] = [.call(call("w", "asks"))]
    let left = image(began + answered("c") + waiting)
    var machine = restored(left)
    let actions = machine.handle(end)
    #expect(actions.results.map(\.requestID) == ["r"], "observers learn that it ended")
    #expect(!machine.isTurnInProgress && machine.record.isEmpty)
    // Decisions that change meanwhile are for the next start to heed.
    let denied = StandingApproval(fingerprint: "asks", toolName: "asks", verdict: .deny)
    _ = machine.handle(.standingApprovalsChanged([denied], at: 2))
    _ = machine.handle(.standingApprovalsChanged([], at: 2))
    #expect(machine.record.isEmpty)

    _ = machine.handle(.startRequested(tools: SimulatedSession.tools))
    _ = machine.handle(.restored(left, at: 2))
    let opened = open(&machine)
    #expect(machine.isTurnInProgress && opened.started.isEmpty)
    #expect(opened.delivered.map(\.callID) == ["c"])
    #expect(opened.contains { if case .consultPolicy(let call) = $0 { call.key.callID == "w" } else { false } })
    // From then on an end is one.
    _ = machine.handle(.stopRequested)
    #expect(machine.record.contains(.turnFinished(.cancelled, reason: nil)))
  }

  @Test func aMessageOfThisProcessEndsWithItsStart() {
    let began: [JournalEntry] = [.message(message, at: 1), .heard(turnID: "t")]
    let ended: [JournalEntry] = [.turnFinished(.complete, reason: nil)]
    var machine = restored(image(began + answered("c") + ended))
    _ = machine.handle(.sendRequested(OutgoingMessage(requestID: "r2", text: "next"), at: 2))
    let offline = RequestFailure(message: "offline")
    let actions = machine.handle(.registrationFailed(offline, isFinal: false))
    #expect(actions.results.map(\.requestID) == ["r2"])
    #expect(
      machine.record == [.turnFinished(.failed, reason: "offline"), .leftMessage(requestID: "r2", .no)],
      "the result waits on")
  }

  @Test func aRestoredMessageThatIsCancelledIsWaitedFor() {
    var machine = restored(image([.message(message, at: 1)]))
    #expect(machine.handle(.cancelRequested(at: 2)).results.map(\.status) == [.cancelled])
    #expect(machine.record.contains(.abandoned(TurnReference(requestID: "r", turnID: nil))))
    #expect(machine.record.contains(.turnFinished(.cancelled, reason: nil)))
    _ = open(&machine)
    let next = OutgoingMessage(requestID: "r2", text: "next")
    #expect(machine.handle(.sendRequested(next, at: 4)).contains(.postMessage(next)))
    let conflict = RequestFailure(status: 409, message: "A turn is already in progress")
    #expect(machine.handle(.messageFailed(requestID: "r2", conflict, at: 5)).results.isEmpty)
    #expect(machine.handle(.event("1", "turn_complete", ["full_text": "old"])).contains(.postMessage(next)))
  }
}
