import Testing

@testable import ResolveKitCore

struct EndedTurnsTests {
  private func envelope(_ type: String = "turn_complete", turn: String?, request: String? = nil) -> ResolveKitEnvelope {
    ResolveKitEnvelope(eventID: "1", turnID: turn, requestID: request, type: type, payload: [:])
  }

  private func ended(_ references: TurnReference...) -> EndedTurns {
    var ended = EndedTurns()
    var effects = TurnEffects()
    for reference in references { ended.abandon(reference, &effects) }
    return ended
  }

  @Test func anAbandonedTurnOwnsItsEventsUntilItEnds() {
    let reference = TurnReference(requestID: "r", turnID: "t")
    var ended = ended(reference)
    #expect(ended.owner(of: envelope(turn: "t")) == reference && ended.mayRunOn(requestID: "r"))
    #expect(ended.owner(of: envelope(turn: "u")) == nil)
    var effects = TurnEffects()
    let known = ended.ended(by: envelope(turn: "t"), &effects)
    #expect(known == reference)
    #expect(effects.record == [.abandonedEnded(requestID: "r", turnID: "t")])
    #expect(!ended.mayRunOn(requestID: "r") && ended.hasFinished(turnID: "t"))
  }

  @Test func aLateCallsRefusalSaysHowItsTurnEnded() {
    let ended = ended(
      TurnReference(requestID: "r", turnID: "t"), TurnReference(requestID: "s", turnID: "u", isAnswerAwaited: true))
    #expect(
      ["t", "u", "other"].map(ended.refusal) == [
        "Cancelled by the user", "The turn was given up", "The turn has ended",
      ])
  }

  @Test func anAnswerIsShownOnce() {
    var ended = EndedTurns()
    #expect(
      CallScript.actions { ended.answered("t", "text", isAwaited: false, &$0) }
        == [.showForeignAnswer(turnID: "t", text: "text")])
    #expect(CallScript.actions { ended.answered("t", "text", isAwaited: false, &$0) } == [])
  }

  @Test func anAnswerOfTheHistoryIsNotShownAgain() {
    var ended = EndedTurns()
    ended.countAnswer("text")
    #expect(
      CallScript.record { ended.answered("t", "text", isAwaited: false, &$0) }
        == [.foreignTurn(id: "t", text: "text", isShown: false)])
    #expect(CallScript.actions { ended.answered("u", "text", isAwaited: false, &$0) }.count == 1)
  }

  @Test func anAwaitedAnswerIsShownAlthoughItsTurnHasEnded() {
    var ended = ended(TurnReference(requestID: "r", turnID: "t", isAnswerAwaited: true))
    #expect(!ended.isCancelled(envelope(turn: "t")))
    let actions = CallScript.actions {
      _ = ended.ended(by: envelope(turn: "t"), &$0)
      ended.answered("t", "late", isAwaited: true, &$0)
    }
    #expect(actions == [.showForeignAnswer(turnID: "t", text: "late")])
  }

  @Test func theOldestAbandonedTurnsAreForgotten() {
    var ended = EndedTurns()
    var effects = TurnEffects()
    for index in 0...TurnPolicy.maximumAbandonedTurns {
      ended.abandon(TurnReference(requestID: "r\(index)", turnID: nil), &effects)
    }
    #expect(!ended.mayRunOn(requestID: "r0") && ended.mayRunOn(requestID: "r1"))
  }

  @Test func aRefusedMessageIsNoTurn() {
    var ended = ended(TurnReference(requestID: "r", turnID: nil))
    #expect(CallScript.record { ended.refused(requestID: "r", &$0) } == [.abandonedEnded(requestID: "r", turnID: nil)])
    #expect(CallScript.record { ended.refused(requestID: "r", &$0) } == [])
  }

  @Test func anotherSessionHasOtherTurns() {
    var ended = ended(TurnReference(requestID: "r", turnID: "t"))
    ended.countAnswer("text")
    ended.leaveSession()
    #expect(ended.owner(of: envelope(turn: "t")) == nil)
    #expect(CallScript.actions { ended.answered("u", "text", isAwaited: false, &$0) }.count == 1)
  }
}
