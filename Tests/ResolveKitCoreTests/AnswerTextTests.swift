import Testing

@testable import ResolveKitCore

struct AnswerTextTests {
  private func delta(_ piece: String, _ accumulated: String?) -> ResolveKitTextDelta {
    ResolveKitTextDelta(delta: piece, accumulated: accumulated)
  }

  @Test func piecesAreAppended() {
    var answer = AnswerText(limit: 100)
    var effects = TurnEffects()
    let fits =
      answer.extend(by: delta("a", nil), of: "t", &effects) && answer.extend(by: delta("b", "ab"), of: "t", &effects)
    #expect(fits && answer.text == "ab")
    #expect(effects.record == [.text("a"), .text("b")])
    #expect(effects.takeActions() == [.appendText(turnID: "t", "a"), .appendText(turnID: "t", "b")])
  }

  @Test func aLostPieceIsHealedByWhatComesAlong() {
    var answer = AnswerText(limit: 100, text: "a")
    var effects = TurnEffects()
    _ = answer.extend(by: delta("c", "abc"), of: "t", &effects)
    #expect(answer.text == "abc" && effects.record == [.text("bc")])
    #expect(effects.takeActions() == [.note(.textHealed(turnID: "t")), .appendText(turnID: "t", "bc")])
  }

  @Test func aWrongTextIsReplaced() {
    var answer = AnswerText(limit: 100, text: "wrong")
    var effects = TurnEffects()
    _ = answer.set("right", isFinal: true, of: "t", &effects)
    #expect(answer.text == "right" && effects.record == [.correctedText("right")])
    #expect(effects.takeActions() == [.note(.textHealed(turnID: "t")), .replaceText(turnID: "t", "right")])
  }

  @Test func aWholeAnswerAtTheEndHealsNothing() {
    var answer = AnswerText(limit: 100)
    var effects = TurnEffects()
    _ = answer.set("all", isFinal: true, of: "t", &effects)
    _ = answer.set("all", isFinal: true, of: "t", &effects)
    #expect(effects.takeActions() == [.appendText(turnID: "t", "all")])
  }

  /// U+00E9 and "e" with U+0301 are equal strings, and other bytes.
  @Test func textsAreComparedByTheirBytes() {
    var answer = AnswerText(limit: 100, text: "e\u{301}")
    var effects = TurnEffects()
    _ = answer.set("\u{E9}", isFinal: true, of: "t", &effects)
    #expect(Array(answer.text.utf8) == [0xC3, 0xA9])
  }

  @Test func aTextBeyondTheLimitIsRefusedAndTheShownOneStays() {
    var answer = AnswerText(limit: 3, text: "abc")
    var effects = TurnEffects()
    let grows = answer.extend(by: delta("d", nil), of: "t", &effects)
    let isSet = answer.set("other", isFinal: true, of: "t", &effects)
    #expect(!grows && !isSet && answer.text == "abc" && effects.record.isEmpty)
  }
}
