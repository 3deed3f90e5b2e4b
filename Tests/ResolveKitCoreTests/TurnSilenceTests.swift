import Testing

@testable import ResolveKitCore

/// A turn of which nothing is heard, and the answer that comes after it was given up.
struct TurnSilenceTests {
  private static let second: MonotonicNanoseconds = 1_000_000_000

  /// Reports the watchdog each 30 s for as long, and returns the actions of each time.
  private func watch(
    _ machine: inout TurnMachine, from start: MonotonicNanoseconds = 0, seconds: UInt64
  ) -> [[TurnAction]] {
    stride(from: start + 30, through: start + seconds, by: 30).map {
      // A moment late, as timers are.
      machine.handle(.deadlinePassed(.turnWatchdog(requestID: "r"), at: $0 * Self.second + 2))
    }
  }

  private func answer(_ id: String, at now: MonotonicNanoseconds, generation: Int = 1) -> TurnEvent {
    .event(id, "turn_complete", ["full_text": "at last"], at: now, generation: generation)
  }

  @Test func isGivenUpAfterTenMinutesOfAnOpenStream() {
    var machine = TurnMachine.running()
    #expect(watch(&machine, seconds: 570).allSatisfy { $0.results.isEmpty })
    let actions = watch(&machine, from: 570, seconds: 30)
    #expect(actions.flatMap(\.results).map(\.failure?.code) == ["no_answer"])
  }

  @Test func doesNotCountWhileTheStreamIsLost() {
    var machine = TurnMachine.running()
    _ = machine.handle(.streamEnded(generation: 1, isClean: false, reason: nil, resumesAtOnce: false))
    #expect(watch(&machine, seconds: 6_000).allSatisfy { $0.results.isEmpty && !$0.contains(.loadHistory) })
    _ = machine.handle(.streamOpened(generation: 1, at: 6_001 * Self.second))
    #expect(watch(&machine, from: 6_001, seconds: 570).allSatisfy { $0.results.isEmpty })
    #expect(machine.isTurnInProgress)
    let actions = machine.handle(answer("1", at: 6_600 * Self.second))
    #expect(actions.results.map(\.text) == ["at last"])
  }

  @Test func ofAMachineThatSleptAsksTheHistoryAndEndsNothing() {
    var machine = TurnMachine.running()
    let actions = machine.handle(.deadlinePassed(.turnWatchdog(requestID: "r"), at: 30_000 * Self.second))
    #expect(actions.contains(.loadHistory) && actions.results.isEmpty)
    let history = [
      HistoryMessage(id: "1", role: "user", content: "hi"),
      HistoryMessage(id: "2", role: "assistant", content: "meanwhile"),
    ]
    let loaded = machine.handle(.historyLoaded(history, at: 30_001 * Self.second))
    #expect(loaded.results.map(\.text) == ["meanwhile"])
  }

  @Test func anyWordRestartsTheCount() {
    var machine = TurnMachine.running()
    _ = watch(&machine, seconds: 570)
    _ = machine.handle(.event("1", "assistant_text_delta", ["delta": "I"], at: 571 * Self.second))
    #expect(watch(&machine, from: 571, seconds: 570).allSatisfy { $0.results.isEmpty })
  }

  @Test func aLateAnswerIsShown() {
    var machine = TurnMachine.running()
    _ = watch(&machine, seconds: 600)
    #expect(!machine.isTurnInProgress && machine.left != nil)
    let actions = machine.handle(answer("1", at: 700 * Self.second))
    #expect(actions.contains(.showForeignAnswer(turnID: "t", text: "at last")))
    #expect(machine.record.contains(.foreignTurn(id: "t", text: "at last", isShown: true)))
    #expect(machine.left == nil, "there is nothing to retry")
    // Once only.
    #expect(
      !machine.handle(answer("2", at: 701 * Self.second)).contains(.showForeignAnswer(turnID: "t", text: "at last")))
  }

  @Test func anAnswerAfterTheConnectionWasGivenUpIsShown() {
    var machine = TurnMachine.running()
    _ = machine.handle(.journalFailed(RequestFailure(message: "the disk is full")))
    #expect(!machine.isTurnInProgress)
    reopen(&machine)
    let actions = machine.handle(answer("1", at: 9 * Self.second, generation: 2))
    #expect(actions.contains(.showForeignAnswer(turnID: "t", text: "at last")))
  }

  @Test func anAnswerAfterTheUserStoppedTheTurnIsNot() {
    var machine = TurnMachine.running()
    _ = machine.handle(.cancelRequested(at: 2 * Self.second))
    let actions = machine.handle(answer("1", at: 9 * Self.second))
    #expect(!actions.contains(.showForeignAnswer(turnID: "t", text: "at last")))
  }

  @Test func theTranscriptHasTheWholeAnswerInPlaceOfItsBeginning() {
    var machine = TurnMachine.running()
    var image = SessionImage()
    var sequence: UInt64 = 0
    func apply(_ entries: [JournalEntry]) {
      sequence += 1
      image.apply(JournalRecord(sequence: sequence, wallMilliseconds: 0, time: 0, entries: entries))
    }
    func keep(_ events: [TurnEvent]) {
      for event in events {
        _ = machine.handle(event)
        apply(machine.record)
      }
    }
    apply([.session(id: "s"), .message(OutgoingMessage(requestID: "r", text: "hi"), at: 1), .heard(turnID: "t")])
    keep([.event("1", "assistant_text_delta", ["delta": "at "], at: 2 * Self.second)])
    keep((1...20).map { .deadlinePassed(.turnWatchdog(requestID: "r"), at: (2 + 30 * $0) * Self.second + 2) })
    keep([answer("2", at: 700 * Self.second)])
    #expect(image.transcript.map(\.text) == ["hi", "at last"])
  }

  private func reopen(_ machine: inout TurnMachine) {
    _ = machine.handle(.startRequested(tools: SimulatedSession.tools))
    _ = machine.handle(.registered)
    _ = machine.handle(.sessionCreated(sessionID: "s", isReused: true))
    _ = machine.handle(.historyLoaded([], at: 5))
    _ = machine.handle(.streamOpened(generation: 2, at: 6))
  }
}
