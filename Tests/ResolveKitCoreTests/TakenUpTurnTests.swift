import Testing

@testable import ResolveKitCore

/// A message that was left, and is sent again: its turn is followed from where it stands.
struct TakenUpTurnTests {
  private let message = OutgoingMessage(requestID: "r", text: "hi")

  @Test func anAnswerToThePostBehindTheTurnsEndSaysNothingOfARunningTurn() {
    var machine = TurnMachine.open()
    _ = machine.handle(.sendRequested(message, at: 1))
    let ended = machine.handle(.event("1", "error", ["code": "llm_error", "message": "broken", "recoverable": true]))
    #expect(ended.results.map(\.status) == [.failed])
    _ = machine.handle(.messageAccepted(requestID: "r", turnID: "t", at: 2))
    // Else a retry would wait for an end that has been.
    #expect(machine.left?.arrival == .ended)
    #expect(machine.handle(.sendRequested(message, at: 3)).contains(.postMessage(message)))
  }

  @Test func theWholeAnswerTakesThePlaceOfThePartThatIsShown() {
    var machine = TurnMachine.open()
    _ = machine.handle(.sendRequested(message, at: 1))
    _ = machine.handle(.messageAccepted(requestID: "r", turnID: "t", at: 2))
    let part = machine.handle(.event("1", "assistant_text_delta", ["delta": "half", "accumulated": "half"]))
    #expect(part.contains(.appendText(turnID: "t", "half")))
    #expect(machine.handle(.cancelRequested(at: 3)).results.map(\.status) == [.cancelled])
    _ = machine.handle(.event("2", "turn_complete", ["full_text": "half a loaf"]))
    #expect(machine.handle(.sendRequested(message, at: 4)).contains(.loadHistory))
    let history = [
      HistoryMessage(id: "u", role: "user", content: "hi"),
      HistoryMessage(id: "a", role: "assistant", content: "half a loaf"),
    ]
    let shown = machine.handle(.historyLoaded(history, at: 5))
    #expect(shown.contains(.replaceText(turnID: "t", "half a loaf")))
    #expect(!shown.contains(.appendText(turnID: "t", "half a loaf")))
    #expect(shown.results.map(\.text) == ["half a loaf"])
  }

  @Test func aPieceOfAnAnswerThatIsFollowedAgainReplacesTheShownPart() {
    var machine = TurnMachine.open()
    _ = machine.handle(.sendRequested(message, at: 1))
    _ = machine.handle(.messageAccepted(requestID: "r", turnID: "t", at: 2))
    _ = machine.handle(.event("1", "assistant_text_delta", ["delta": "half", "accumulated": "half"]))
    _ = machine.handle(.cancelRequested(at: 3))
    _ = machine.handle(.event("2", "assistant_text_delta", ["delta": " a", "accumulated": "half a"]))
    _ = machine.handle(.sendRequested(message, at: 4))
    let first = machine.handle(.event("3", "assistant_text_delta", ["delta": " loaf", "accumulated": "half a loaf"]))
    #expect(first.contains(.replaceText(turnID: "t", "half a loaf")))
    let next = machine.handle(.event("4", "assistant_text_delta", ["delta": ".", "accumulated": "half a loaf."]))
    #expect(next.contains(.appendText(turnID: "t", ".")))
  }
}
