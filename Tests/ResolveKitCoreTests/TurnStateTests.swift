import Testing

@testable import ResolveKitCore

struct TurnStateTests {
  private let message = OutgoingMessage(requestID: "r", text: "hi")

  /// A turn whose message was posted.
  private func turn() -> TurnState {
    var turn = TurnState(message, after: [], at: 0, TurnPolicy())
    var effects = TurnEffects()
    turn.course.take(.post, isOpen: true, at: 0, &effects)
    return turn
  }

  @Test func aTurnIsReportedOnceAndNamedOnce() {
    var turn = turn()
    let seen = CallScript.actions { _ = turn.appeared(turnID: nil, at: 1, &$0) }
    #expect(seen == [.cancelDeadline(.messageRetry(requestID: "r"))])
    #expect(turn.isRunning)
    let named = CallScript.actions { _ = turn.appeared(turnID: "t", at: 2, &$0) }
    #expect(named == [.turnIdentified(requestID: "r", turnID: "t")])
    #expect(CallScript.actions { _ = turn.appeared(turnID: "u", at: 3, &$0) } == [])
    #expect(turn.knownID == "t")
  }

  @Test func aNameIsRecordedWithTheReportOrAfterIt() {
    var turn = turn()
    #expect(CallScript.record { _ = turn.appeared(turnID: nil, at: 1, &$0) } == [.heard(turnID: nil)])
    #expect(CallScript.record { _ = turn.appeared(turnID: "t", at: 2, &$0) } == [.heard(turnID: "t")])
    #expect(CallScript.record { _ = turn.appeared(turnID: "t", at: 3, &$0) } == [])
  }

  @Test func theHistoryIsAskedOnceAtATimeAndOnlyAboutARunningTurn() {
    var turn = turn()
    #expect(CallScript.actions { turn.askHistory(&$0) } == [], "the message is still on its way")
    _ = CallScript.actions { _ = turn.appeared(turnID: "t", at: 1, &$0) }
    #expect(CallScript.actions { turn.askHistory(&$0) } == [.loadHistory])
    #expect(CallScript.actions { turn.askHistory(&$0) } == [])
    #expect(turn.awaitsHistory)
    turn.endQuestion()
    #expect(!turn.awaitsHistory)
  }

  @Test func theAnswerToAQuestionCountsThoughTheTurnWasReportedMeanwhile() {
    var turn = TurnState(message, after: [], uncertainSince: 0, at: 0, TurnPolicy())
    _ = CallScript.actions { turn.course.take(.ask, isOpen: true, at: 1, &$0) }
    #expect(turn.awaitsHistory)
    _ = CallScript.actions { _ = turn.appeared(turnID: "t", at: 2, &$0) }
    #expect(turn.awaitsHistory && turn.isRunning)
  }

  @Test func theAnswerIsTheLastOneBehindTheLastMessageOfThoseWords() {
    let turn = turn()
    func history(_ entries: (String, String)...) -> [HistoryMessage] {
      entries.map { HistoryMessage(id: $0.1, role: $0.0, content: $0.1) }
    }
    #expect(turn.answer(in: history(("user", "hi"), ("assistant", "old"), ("user", "hi"))) == nil)
    #expect(
      turn.answer(in: history(("user", "hi"), ("assistant", "one"), ("assistant", "two"), ("user", "next"))) == "two")
    #expect(turn.answer(in: history(("assistant", "one"))) == nil)
  }

  @Test func aTurnOfAnEarlierProcessMayHaveBeenPosted() {
    var image = SessionImage()
    let entries: [JournalEntry] = [.session(id: "s"), .history([]), .message(message, at: 5), .text("so far")]
    image.apply(JournalRecord(sequence: 1, wallMilliseconds: 1, time: 5, entries: entries))
    guard let left = image.turn else { Issue.record("the journal holds no turn"); return }
    let turn = TurnState(restoring: image, left, at: 9, TurnPolicy())
    #expect(turn.course.arrival == .unknown(since: 5) && turn.isRestored && turn.answer.text == "so far")
  }
}
