import Testing

@testable import ResolveKitCore

/// A message becomes a turn, and a turn ends, in exactly one way.
struct TurnMessageTests {
  private let message = OutgoingMessage(requestID: "r", text: "hi")
  private let second: MonotonicNanoseconds = 1_000_000_000

  @Test func eventsBeforeTheAcceptanceAreMatchedByRequest() {
    var machine = TurnMachine.open()
    #expect(machine.handle(.sendRequested(message, at: 1)) == [.postMessage(message)])
    let early = machine.handle(.event("1", "assistant_text_delta", ["delta": "a", "accumulated": "a"]))
    #expect(early.contains(.turnIdentified(requestID: "r", turnID: "t")))
    #expect(early.contains(.appendText(turnID: "t", "a")))
    let done = machine.handle(.event("2", "turn_complete", ["full_text": "ab"]))
    #expect(done.contains(.appendText(turnID: "t", "b")))
    #expect(done.results.map(\.text) == ["ab"])
    #expect(machine.handle(.messageAccepted(requestID: "r", turnID: "t", at: 3)).results.isEmpty)
  }

  @Test func aMessageWaitsForTheStream() {
    var machine = TurnMachine()
    #expect(
      machine.handle(.sendRequested(message, at: 1)).contains {
        if case .refuseMessage = $0 { true } else { false }
      })
    _ = machine.handle(.startRequested(tools: []))
    #expect(machine.handle(.sendRequested(message, at: 1)).isEmpty)
    _ = machine.handle(.registered)
    _ = machine.handle(.sessionCreated(sessionID: "s", isReused: false))
    #expect(machine.handle(.streamOpened(generation: 1, at: 1)).contains(.postMessage(message)))
  }

  @Test(arguments: ["", String(repeating: "é", count: 16385)])
  func unsendableTextIsRefused(text: String) {
    var machine = TurnMachine.open()
    let actions = machine.handle(.sendRequested(OutgoingMessage(requestID: "r", text: text), at: 1))
    #expect(actions.count == 1 && !machine.isTurnInProgress)
  }

  @Test func oneTurnAtATime() {
    var machine = TurnMachine.running()
    let actions = machine.handle(.sendRequested(OutgoingMessage(requestID: "r2", text: "x"), at: 2))
    #expect(actions.count == 1)
    #expect(machine.handle(.event("1", "turn_complete", ["full_text": "x"])).results.map(\.requestID) == ["r"])
  }

  @Test func aLostAnswerIsRetriedUnderTheSameRequest() {
    var machine = TurnMachine.open()
    _ = machine.handle(.sendRequested(message, at: 0))
    for attempt in 1...4 {
      let failed = machine.handle(.messageFailed(requestID: "r", RequestFailure(message: "lost"), at: 0))
      #expect(
        failed.contains(
          .scheduleDeadline(.messageRetry(requestID: "r"), at: second << (UInt64(attempt) - 1))))
      #expect(machine.handle(.deadlinePassed(.messageRetry(requestID: "r"), at: 0)).contains(.postMessage(message)))
    }
    let last = machine.handle(.messageFailed(requestID: "r", RequestFailure(message: "lost"), at: 0))
    #expect(last.results.map(\.status) == [.failed])
  }

  @Test func aConflictOnARetryMeansWait() {
    var machine = TurnMachine.open()
    _ = machine.handle(.sendRequested(message, at: 0))
    _ = machine.handle(.messageFailed(requestID: "r", RequestFailure(message: "lost"), at: 0))
    _ = machine.handle(.deadlinePassed(.messageRetry(requestID: "r"), at: second))
    let conflict = RequestFailure(status: 409, message: "A turn is already in progress")
    #expect(machine.handle(.messageFailed(requestID: "r", conflict, at: second)).results.isEmpty)
    #expect(machine.handle(.event("1", "turn_complete", ["full_text": "x"])).results.map(\.status) == [.complete])
  }

  @Test func afterACancelledTurnTheNextMessageWaitsForItsEnd() {
    var machine = TurnMachine.running()
    let cancelled = machine.handle(.cancelRequested(at: 2))
    #expect(cancelled.results.map(\.status) == [.cancelled])
    #expect(cancelled.contains(.stopTurn(turnID: "t")))
    let next = OutgoingMessage(requestID: "r2", text: "next")
    _ = machine.handle(.sendRequested(next, at: 3))
    let conflict = RequestFailure(status: 409, message: "A turn is already in progress")
    #expect(machine.handle(.messageFailed(requestID: "r2", conflict, at: 4)).results.isEmpty)
    let late = machine.handle(.event("1", "assistant_text_delta", ["delta": "old", "accumulated": "old"]))
    #expect(!late.contains(.appendText(turnID: "t", "old")))
    #expect(machine.handle(.event("2", "turn_complete", ["full_text": "old"])).contains(.postMessage(next)))
  }

  /// Also where the connection was given up, as for a key that is refused: the backend runs it on.
  @Test(arguments: [false, true]) func afterAStopTheNextMessageWaitsForTheTurnThatStillRuns(isGivenUp: Bool) {
    var machine = TurnMachine.running()
    let end: TurnEvent =
      isGivenUp ? .journalFailed(RequestFailure(status: 401, message: "no")) : .stopRequested
    #expect(machine.handle(end).results.map(\.status) == [isGivenUp ? .failed : .cancelled])
    let reference = TurnReference(requestID: "r", turnID: "t", isAnswerAwaited: isGivenUp)
    #expect(machine.record.contains(.abandoned(reference)))
    _ = machine.handle(.startRequested(tools: []))
    _ = machine.handle(.registered)
    _ = machine.handle(.sessionCreated(sessionID: "s", isReused: true))
    _ = machine.handle(.streamOpened(generation: 2, at: 2))
    let next = OutgoingMessage(requestID: "r2", text: "next")
    #expect(machine.handle(.sendRequested(next, at: 3)).contains(.postMessage(next)))
    let conflict = RequestFailure(status: 409, message: "A turn is already in progress")
    #expect(machine.handle(.messageFailed(requestID: "r2", conflict, at: 4)).results.isEmpty)
    let ended = machine.handle(.event("1", "turn_complete", ["full_text": "old"], generation: 2))
    #expect(ended.contains(.postMessage(next)))
  }

  /// The running turn may be the one that was left: the message waits for its end, and the history tells whether it came.
  @Test func aConflictBesideALeftTurnIsNoSignOfTheMessage() {
    var machine = TurnMachine.running()
    _ = machine.handle(.cancelRequested(at: 2))
    let next = OutgoingMessage(requestID: "r2", text: "next")
    _ = machine.handle(.sendRequested(next, at: 3))
    _ = machine.handle(.messageFailed(requestID: "r2", RequestFailure(status: 503, message: "busy"), at: 4))
    _ = machine.handle(.deadlinePassed(.messageRetry(requestID: "r2"), at: second))
    let conflict = RequestFailure(status: 409, message: "A turn is already in progress")
    _ = machine.handle(.messageFailed(requestID: "r2", conflict, at: second))
    #expect(machine.handle(.event("2", "turn_complete", ["full_text": "old"])).contains(.loadHistory))
    let history = [HistoryMessage(id: "1", role: "user", content: "hi")]
    #expect(machine.handle(.historyLoaded(history, at: second)) == [.postMessage(next)])
  }

  @Test func theAcceptanceThatComesAfterAStopAsksForNothing() {
    var machine = TurnMachine.open()
    _ = machine.handle(.sendRequested(message, at: 0))
    _ = machine.handle(.stopRequested)
    #expect(machine.handle(.messageAccepted(requestID: "r", turnID: "t", at: 1)).isEmpty)
  }

  @Test func aTurnThatWasCancelledBeforeItHadAnIdIsStoppedWhenItHasOne() {
    var machine = TurnMachine.open()
    _ = machine.handle(.sendRequested(message, at: 0))
    #expect(machine.handle(.cancelRequested(at: 1)).results.map(\.status) == [.cancelled])
    #expect(machine.handle(.messageAccepted(requestID: "r", turnID: "t", at: 2)) == [.stopTurn(turnID: "t")])
  }

  @Test func aRefusedMessageRenewsTheSessionOnce() {
    var machine = TurnMachine.open()
    _ = machine.handle(.sendRequested(message, at: 0))
    let gone = RequestFailure(status: 403, code: "chat_unavailable", message: "no")
    #expect(machine.handle(.messageFailed(requestID: "r", gone, at: 1)).contains(.createSession))
    _ = machine.handle(.sessionCreated(sessionID: "s", isReused: true))
    #expect(machine.handle(.streamOpened(generation: 2, at: 2)).contains(.postMessage(message)))
    #expect(machine.handle(.messageFailed(requestID: "r", gone, at: 3)).results.map(\.status) == [.failed])
  }

  @Test(arguments: ["llm_error", "interrupted", "chat_unavailable"])
  func anErrorEndsTheTurn(code: String) {
    var machine = TurnMachine.running()
    let actions = machine.handle(.event("1", "error", ["code": .string(code), "message": "m", "recoverable": true]))
    #expect(actions.results.map(\.failure) == [RequestFailure(code: code, message: "m")])
    #expect(!machine.isTurnInProgress)
  }

  @Test func supersededAndForeignErrorsDoNot() {
    var machine = TurnMachine.running()
    _ = machine.handle(.event("1", "error", ["code": "superseded"]))
    _ = machine.handle(.event("2", "error", ["code": "x"], turn: "other", request: "other"))
    _ = machine.handle(.event("3", "human_message", ["text": "t"], turn: "other", request: "other"))
    _ = machine.handle(.event("4", "turn_complete", ["full_text": "t"], turn: "other", request: "other"))
    #expect(machine.isTurnInProgress)
    #expect(machine.handle(.event("5", "session_escalated", ["reason": "why"])).results.map(\.status) == [.failed])
  }

  @Test func whatIsAccumulatedWins() {
    var machine = TurnMachine.running()
    _ = machine.handle(.event("1", "assistant_text_delta", ["delta": "ab", "accumulated": "ab"]))
    let gap = machine.handle(.event("2", "assistant_text_delta", ["delta": "e", "accumulated": "abcde"]))
    #expect(gap.contains(.appendText(turnID: "t", "cde")) && gap.contains(.note(.textHealed(turnID: "t"))))
    let wrong = machine.handle(.event("3", "assistant_text_delta", ["delta": "y", "accumulated": "xy"]))
    #expect(wrong.contains(.replaceText(turnID: "t", "xy")))
    let bare = machine.handle(.event("4", "assistant_text_delta", ["delta": "z"]))
    #expect(bare.contains(.appendText(turnID: "t", "z")))
    #expect(machine.handle(.event("5", "turn_complete", ["full_text": "xyz"])).results.map(\.text) == ["xyz"])
    #expect(machine.statistics.textsHealed == 2)
  }

  @Test func aCharacterThatGrowsIsContinuedNotReplaced() {
    for (shown, whole, rest) in [("e", "e\u{301}", "\u{301}"), ("a\r", "a\r\n", "\n")] {
      var machine = TurnMachine.running()
      _ = machine.handle(.event("1", "assistant_text_delta", ["delta": .string(shown), "accumulated": .string(shown)]))
      let done = machine.handle(.event("2", "turn_complete", ["full_text": .string(whole)]))
      #expect(done.contains(.appendText(turnID: "t", rest)))
    }
  }

  @Test func textThatDiffersInNormalisationOnlyIsReplaced() {
    var machine = TurnMachine.running()
    _ = machine.handle(.event("1", "assistant_text_delta", ["delta": "\u{e9}", "accumulated": "\u{e9}"]))
    let done = machine.handle(.event("2", "turn_complete", ["full_text": "e\u{301}"]))
    #expect(done.results.first.map { Array($0.text.utf8) } == Array("e\u{301}".utf8))
    #expect(done.contains { if case .replaceText = $0 { true } else { false } })
  }

  @Test func aTextBeyondTheLimitFailsTheTurn() {
    var policy = TurnPolicy()
    policy.maximumTextBytes = 4
    var machine = TurnMachine.running(policy: policy)
    _ = machine.handle(.event("1", "assistant_text_delta", ["delta": "abcd"]))
    let actions = machine.handle(.event("2", "assistant_text_delta", ["delta": "e"]))
    #expect(actions.results.first?.failure?.code == "answer_too_long")
  }

  @Test func aSilentTurnIsJudgedByTheHistory() {
    var machine = TurnMachine.running()
    let history = [
      HistoryMessage(id: "1", role: "user", content: "hi"), HistoryMessage(id: "2", role: "assistant", content: "yes"),
    ]
    #expect(machine.handle(.historyLoaded(history, at: 3)).isEmpty)
    let fired = machine.handle(.deadlinePassed(.turnWatchdog(requestID: "r"), at: 31 * second))
    #expect(fired.contains(.loadHistory))
    let other = [HistoryMessage(id: "1", role: "user", content: "other"), history[1]]
    #expect(machine.handle(.historyLoaded(other, at: 32 * second)).isEmpty)
    _ = machine.handle(.deadlinePassed(.turnWatchdog(requestID: "r"), at: 61 * second))
    let done = machine.handle(.historyLoaded(history, at: 62 * second))
    #expect(done.results.map(\.text) == ["yes"])
    #expect(done.contains(.appendText(turnID: "t", "yes")))
  }

  @Test func anEarlierAnswerToTheSameWordsIsNoneToTheMessageOnItsWay() {
    var machine = TurnMachine.open()
    _ = machine.handle(.sendRequested(OutgoingMessage(requestID: "r", text: "hi"), at: 1))
    _ = machine.handle(.streamEnded(generation: 1, isClean: false, reason: nil, resumesAtOnce: false))
    _ = machine.handle(.messageFailed(requestID: "r", RequestFailure(message: "lost"), at: 2))
    _ = machine.handle(.event("5", "unknown", [:], turn: "o", request: "o"))
    let failure = RequestFailure(status: 410, code: "cursor_expired", message: "old")
    _ = machine.handle(.streamRefused(generation: 1, failure))
    let opened = machine.handle(.streamOpened(generation: 2, at: 3))
    #expect(opened.contains(.postMessage(OutgoingMessage(requestID: "r", text: "hi"))))
    #expect(!opened.contains(.loadHistory), "the history may end with an earlier \"hi\" and its answer")
    let history = [
      HistoryMessage(id: "1", role: "user", content: "hi"), HistoryMessage(id: "2", role: "assistant", content: "old"),
    ]
    #expect(machine.handle(.historyLoaded(history, at: 4)).results.isEmpty)
    _ = machine.handle(.messageAccepted(requestID: "r", turnID: "t", at: 5))
    #expect(machine.handle(.deadlinePassed(.turnWatchdog(requestID: "r"), at: 40 * second)).contains(.loadHistory))
  }

  @Test func whoActsWhileTheStreamIsLostIsInHaste() {
    var machine = TurnMachine.open()
    _ = machine.handle(.streamEnded(generation: 1, isClean: false, reason: nil, resumesAtOnce: false))
    #expect(machine.handle(.sendRequested(message, at: 2)) == [.retryStreamNow])
    #expect(machine.handle(.sendRequested(message, at: 3)).contains(.retryStreamNow) == false)
    #expect(machine.handle(.streamOpened(generation: 1, at: 4)).contains(.postMessage(message)))
  }

  @Test func aDecisionWhileTheStreamIsLostIsInHasteToo() throws {
    var machine = TurnMachine.running()
    _ = machine.handle(.call("1", "c", "asks"))
    _ = machine.handle(.policyDecided(ToolCallKey(turnID: "t", callID: "c"), nil, at: 2))
    let asked = machine.handle(.deadlinePassed(.batchWindow(batchID: 1), at: second)).asked
    let batch = try #require(asked.first)
    _ = machine.handle(.streamEnded(generation: 1, isClean: false, reason: nil, resumesAtOnce: false))
    let decided = machine.decided(batchID: batch.batchID, .approveOnce, only: [], at: second)
    #expect(decided.contains(.retryStreamNow) && decided.started == ["c"])
  }

  @Test func anAnswerKeepsTheNameUnderWhichItBegan() {
    var machine = TurnMachine.open()
    _ = machine.handle(.sendRequested(message, at: 1))
    let begun = machine.handle(.event("1", "assistant_text_delta", ["delta": "a", "accumulated": "a"], turn: nil))
    #expect(begun.contains(.appendText(turnID: "r", "a")))
    let named = machine.handle(.event("2", "assistant_text_delta", ["delta": "b", "accumulated": "ab"]))
    #expect(named.contains(.turnIdentified(requestID: "r", turnID: "t")))
    #expect(named.contains(.appendText(turnID: "r", "b")))
  }
}
