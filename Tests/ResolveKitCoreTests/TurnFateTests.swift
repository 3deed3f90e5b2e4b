import Testing

@testable import ResolveKitCore

/// A message whose fate is not known, later than the backend remembers its request id: the history decides.
struct TurnFateTests {
  private let message = OutgoingMessage(requestID: "r", text: "hi")
  private let second: MonotonicNanoseconds = 1_000_000_000
  private let lost = RequestFailure(message: "lost")

  /// A machine whose message "hi" may have arrived or not, and whose stream broke then.
  private func uncertain(after text: String? = nil) -> TurnMachine {
    var machine = TurnMachine.open()
    if let text {
      _ = machine.handle(.sendRequested(OutgoingMessage(requestID: "q", text: text), at: 1))
      _ = machine.handle(.event("1", "turn_complete", ["full_text": "earlier"], turn: "p", request: "q"))
    }
    _ = machine.handle(.sendRequested(message, at: 1))
    _ = machine.handle(.streamEnded(generation: 1, isClean: false, reason: nil, resumesAtOnce: false))
    _ = machine.handle(.messageFailed(requestID: "r", lost, at: 2))
    return machine
  }

  private func user(_ text: String) -> HistoryMessage { HistoryMessage(id: "u-\(text)", role: "user", content: text) }

  private func answer(_ text: String) -> HistoryMessage {
    HistoryMessage(id: "a-\(text)", role: "assistant", content: text)
  }

  @Test func itIsPostedAgainWhileItsIDIsRemembered() {
    var machine = uncertain()
    let opened = machine.handle(.streamOpened(generation: 1, at: 500 * second))
    #expect(opened.contains(.postMessage(message)) && !opened.contains(.loadHistory))
  }

  @Test(arguments: [true, false])
  func laterItIsPostedOnlyIfTheHistoryLacksIt(isEmpty: Bool) {
    var machine = uncertain(after: isEmpty ? nil : "hello")
    let opened = machine.handle(.streamOpened(generation: 1, at: 601 * second))
    #expect(opened.contains(.loadHistory))
    #expect(!opened.contains(.postMessage(message)))
    let history = isEmpty ? [] : [user("hello"), answer("earlier")]
    #expect(machine.handle(.historyLoaded(history, at: 602 * second)) == [.postMessage(message)])
    // It is certain again: nothing is asked for the next try.
    _ = machine.handle(.messageFailed(requestID: "r", lost, at: 603 * second))
    let retry = machine.handle(.deadlinePassed(.messageRetry(requestID: "r"), at: 606 * second))
    #expect(retry.contains(.postMessage(message)) && !retry.contains(.loadHistory))
  }

  @Test func theHistoryBringsItsAnswer() {
    var machine = uncertain(after: "hello")
    _ = machine.handle(.streamOpened(generation: 1, at: 601 * second))
    let actions = machine.handle(
      .historyLoaded([user("hello"), answer("earlier"), user("hi"), answer("there")], at: 602 * second))
    #expect(actions.results.map(\.text) == ["there"])
    #expect(actions.results.map(\.status) == [.complete])
    #expect(!actions.contains(.postMessage(message)))
  }

  @Test func withoutAnAnswerTheTurnRuns() {
    var machine = uncertain()
    _ = machine.handle(.streamOpened(generation: 1, at: 601 * second))
    let actions = machine.handle(.historyLoaded([user("hi")], at: 602 * second))
    #expect(!actions.contains(.postMessage(message)) && machine.isTurnInProgress)
    #expect(machine.record == [.heard(turnID: nil)])
    #expect(
      machine.handle(.event("5", "turn_complete", ["full_text": "there"])).results.map(\.text) == ["there"])
  }

  @Test func anEventOfItsTurnComesBeforeTheHistory() {
    var machine = uncertain()
    _ = machine.handle(.streamOpened(generation: 1, at: 601 * second))
    let early = machine.handle(.event("5", "assistant_text_delta", ["delta": "th", "accumulated": "th"]))
    #expect(early.contains(.appendText(turnID: "t", "th")))
    let actions = machine.handle(.historyLoaded([user("hello")], at: 602 * second))
    #expect(actions.isEmpty && machine.isTurnInProgress)
  }

  @Test func ofTheSameTextTwiceTheHistoryDecidesNothing() {
    var machine = uncertain(after: "hi")
    _ = machine.handle(.streamOpened(generation: 1, at: 601 * second))
    let actions = machine.handle(.historyLoaded([user("hi"), answer("earlier")], at: 602 * second))
    #expect(actions.results.map(\.failure?.code) == ["unknown_fate"])
    #expect(!actions.contains(.postMessage(message)))
    // Should the turn run all the same, its answer is shown.
    let late = machine.handle(.event("5", "turn_complete", ["full_text": "again"]))
    #expect(late.contains(.showForeignAnswer(turnID: "t", text: "again")))
  }

  @Test func aHistoryThatCannotBeLoadedIsAskedAgain() {
    var machine = uncertain()
    _ = machine.handle(.streamOpened(generation: 1, at: 601 * second))
    let failed = machine.handle(.historyFailed(lost, at: 602 * second))
    #expect(failed.contains(.scheduleDeadline(.messageRetry(requestID: "r"), at: 604 * second)))
    #expect(machine.handle(.deadlinePassed(.messageRetry(requestID: "r"), at: 604 * second)).contains(.loadHistory))
    for now in 605...606 {
      _ = machine.handle(.historyFailed(lost, at: MonotonicNanoseconds(now) * second))
      _ = machine.handle(.deadlinePassed(.messageRetry(requestID: "r"), at: MonotonicNanoseconds(now) * second))
    }
    #expect(machine.handle(.historyFailed(lost, at: 607 * second)).results.map(\.status) == [.failed])
  }

  @Test(arguments: [("hello", false), ("hi", true)])
  func aMessageOfAnEarlierProcessIsJudgedToo(earlier: String, isRepeated: Bool) {
    var image = SessionImage()
    let before = OutgoingMessage(requestID: "q", text: earlier)
    image.apply(
      JournalRecord(
        sequence: 1, wallMilliseconds: 1, time: 1,
        entries: [
          .session(id: "s"), .history([]), .message(before, at: 1), .turnFinished(.complete, reason: nil),
          .message(message, at: second),
        ]))
    var machine = TurnMachine()
    _ = machine.handle(.startRequested(tools: []))
    _ = machine.handle(.restored(image, at: 700 * second))
    _ = machine.handle(.registered)
    _ = machine.handle(.sessionCreated(sessionID: "s", isReused: true))
    #expect(machine.handle(.streamOpened(generation: machine.link.generation, at: 701 * second)).contains(.loadHistory))
    let actions = machine.handle(.historyLoaded([user(earlier), answer("x")], at: 702 * second))
    #expect(actions.contains(.postMessage(message)) == !isRepeated)
    #expect(actions.results.map(\.failure?.code) == (isRepeated ? ["unknown_fate"] : []))
  }

  /// The backend counts from when it got the message, not from when nothing more was heard of it.
  @Test func theTimeCountsFromTheFirstAttempt() {
    var machine = TurnMachine.open()
    _ = machine.handle(.sendRequested(message, at: 1))
    _ = machine.handle(.messageFailed(requestID: "r", lost, at: 1_200 * second))
    let retry = machine.handle(.deadlinePassed(.messageRetry(requestID: "r"), at: 1_201 * second))
    #expect(retry.contains(.loadHistory) && !retry.contains(.postMessage(message)))
  }

  @Test func aMessageBetweenThatNeverArrivedHidesNoEarlierOne() {
    var machine = TurnMachine.open()
    for (id, text) in [("q", "hi"), ("q2", "no")] {
      _ = machine.handle(.sendRequested(OutgoingMessage(requestID: id, text: text), at: 1))
      if id == "q" {
        _ = machine.handle(.event("1", "turn_complete", ["full_text": "earlier"], turn: "p", request: "q"))
      }
    }
    _ = machine.handle(.cancelRequested(at: 2))
    _ = machine.handle(.messageFailed(requestID: "q2", lost, at: 2))
    _ = machine.handle(.sendRequested(message, at: 3))
    _ = machine.handle(.messageFailed(requestID: "r", lost, at: 3))
    let retry = machine.handle(.deadlinePassed(.messageRetry(requestID: "r"), at: 601 * second))
    #expect(retry.contains(.loadHistory))
    let actions = machine.handle(.historyLoaded([user("hi"), answer("earlier")], at: 602 * second))
    #expect(actions.results.map(\.failure?.code) == ["unknown_fate"])
  }

  @Test func ofAHistoryThatWasNeverLoadedNothingIsKnown() {
    var machine = TurnMachine()
    _ = machine.handle(.startRequested(tools: []))
    _ = machine.handle(.registered)
    _ = machine.handle(.sessionCreated(sessionID: "s", isReused: true))
    _ = machine.handle(.historyFailed(lost, at: 1))
    _ = machine.handle(.streamOpened(generation: 1, at: 1))
    _ = machine.handle(.sendRequested(message, at: 2))
    _ = machine.handle(.messageFailed(requestID: "r", lost, at: 3))
    _ = machine.handle(.deadlinePassed(.messageRetry(requestID: "r"), at: 601 * second))
    let actions = machine.handle(.historyLoaded([user("hi"), answer("of yesterday")], at: 602 * second))
    #expect(actions.results.map(\.failure?.code) == ["unknown_fate"])
  }

  /// A session that takes the other's place has not got the message, whatever the old one's history says.
  @Test func anotherSessionGetsTheMessage() {
    var machine = uncertain()
    _ = machine.handle(.streamOpened(generation: 1, at: 601 * second))
    _ = machine.handle(.streamRefused(generation: 1, RequestFailure(status: 404, message: "gone")))
    #expect(machine.handle(.historyLoaded([], at: 602 * second)).isEmpty, "no request goes out without a session")
    _ = machine.handle(.sessionCreated(sessionID: "s2", isReused: false))
    let opened = machine.handle(.streamOpened(generation: 2, at: 603 * second))
    #expect(opened.contains(.postMessage(message)) && !opened.contains(.loadHistory))
    #expect(machine.handle(.historyLoaded([user("hi")], at: 604 * second)).isEmpty)
  }

  @Test func anAnswerOfTheHistoryIsNotShownAgainWhenItIsReplayed() {
    var machine = uncertain()
    _ = machine.handle(.streamOpened(generation: 1, at: 601 * second))
    #expect(
      machine.handle(.historyLoaded([user("hi"), answer("there")], at: 602 * second)).results.map(\.text) == ["there"])
    let replayed = machine.handle(.event("5", "turn_complete", ["full_text": "there"]))
    #expect(!replayed.contains(.showForeignAnswer(turnID: "t", text: "there")))
  }

  @Test func aMessageThatWasKeptBeforeItsSessionWasKnownWasNeverPosted() {
    var image = SessionImage()
    image.apply(
      JournalRecord(
        sequence: 1, wallMilliseconds: 1, time: 1, entries: [.session(id: "s"), .message(message, at: second)]))
    var machine = TurnMachine()
    _ = machine.handle(.startRequested(tools: []))
    _ = machine.handle(.restored(image, at: 700 * second))
    _ = machine.handle(.registered)
    _ = machine.handle(.sessionCreated(sessionID: "s", isReused: true))
    _ = machine.handle(.historyLoaded([user("hi"), answer("of yesterday")], at: 701 * second))
    let opened = machine.handle(.streamOpened(generation: machine.link.generation, at: 702 * second))
    #expect(opened.contains(.postMessage(message)) && opened.results.isEmpty)
  }

  @Test func ofManyMessagesThatMayHaveArrivedNothingIsKeptButThat() {
    var machine = TurnMachine.open()
    for number in 0..<100 {
      _ = machine.handle(.sendRequested(OutgoingMessage(requestID: "\(number)", text: "\(number)"), at: 3))
      _ = machine.handle(.cancelRequested(at: 3))
    }
    #expect(machine.messages.words == nil)
  }
}
