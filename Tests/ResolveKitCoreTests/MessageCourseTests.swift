import Testing

@testable import ResolveKitCore

struct MessageCourseTests {
  private let message = OutgoingMessage(requestID: "r", text: "hi")
  private let second = CallScript.second
  private let lost = RequestFailure(message: "lost")
  private let conflict = RequestFailure(status: 409, message: "a turn is in progress")

  private func course(after earlier: [String]? = [], uncertainSince: MonotonicNanoseconds? = nil) -> MessageCourse {
    MessageCourse(message, after: earlier, uncertainSince: uncertainSince, policy: TurnPolicy())
  }

  /// A message that was posted at 0.
  private func posted(after earlier: [String]? = []) -> MessageCourse {
    var course = course(after: earlier)
    var effects = TurnEffects()
    course.take(.post, isOpen: true, at: 0, &effects)
    return course
  }

  @Test func aMessageWaitsForTheStream() {
    var course = course()
    #expect(CallScript.actions { course.take(.post, isOpen: false, at: 0, &$0) } == [])
    #expect(course.phase == .waiting(.post) && course.arrival == .no)
    #expect(CallScript.actions { course.streamOpened(at: 1, &$0) } == [.postMessage(message)])
    #expect(course.arrival == .unknown(since: 1))
  }

  @Test func aLostPostIsTriedAgainWithDoublingPauses() {
    var course = posted()
    for seconds in [1, 2, 4, 8] {
      let (outcome, actions) = course.fail(lost)
      #expect(outcome == .continues && course.isPaused)
      let retry = TurnDeadline.messageRetry(requestID: "r")
      #expect(actions.contains(.scheduleDeadline(retry, at: MonotonicNanoseconds(seconds) * second)))
      #expect(
        CallScript.actions { course.retry(isOpen: true, at: 0, &$0) } == [
          .cancelDeadline(retry), .postMessage(message),
        ])
    }
    #expect(course.fail(lost).outcome == .failed(lost))
  }

  @Test func anEarlierTurnHoldsTheMessageUntilItEnds() {
    var course = posted()
    #expect(course.fail(conflict).actions.first == .showDelivery(message, .held))
    #expect(CallScript.actions { course.earlierTurnEnded(isOpen: true, at: 1, &$0) }.last == .postMessage(message))
  }

  @Test func aWaitThatTheServerOrderedIsNotShortened() {
    var course = posted()
    _ = course.fail(RequestFailure(status: 409, message: "busy", retryAfterSeconds: 9))
    #expect(CallScript.actions { course.earlierTurnEnded(isOpen: true, at: 8 * second, &$0) } == [])
    #expect(CallScript.actions { course.earlierTurnEnded(isOpen: true, at: 9 * second, &$0) }.count == 2)
  }

  @Test func aConflictAfterALostPostIsAskedAbout() {
    var course = posted()
    _ = course.fail(lost)
    _ = CallScript.actions { course.retry(isOpen: true, at: second, &$0) }
    _ = course.fail(conflict, at: second)
    #expect(CallScript.actions { course.retry(isOpen: true, at: 2 * second, &$0) }.last == .loadHistory)
    #expect(course.judge(by: ["hi"], at: 2 * second).outcome == .arrived)
  }

  @Test func whatTheHistoryLacksIsPosted() {
    var course = course(after: ["before"], uncertainSince: 0)
    _ = CallScript.actions { course.take(.ask, isOpen: true, at: 1, &$0) }
    let (outcome, actions) = course.judge(by: ["before"], at: 2)
    #expect(outcome == .continues && actions == [.postMessage(message)])
  }

  @Test func theSameWordsBeforeItLeaveItOpen() {
    var course = course(after: ["hi"], uncertainSince: 0)
    _ = CallScript.actions { course.take(.ask, isOpen: true, at: 1, &$0) }
    // While the backend knows its id, another post is no other message.
    #expect(course.judge(by: ["hi"], at: 2).actions == [.postMessage(message)])
    let late = 600 * second
    _ = course.fail(lost, at: late)
    #expect(
      CallScript.actions { course.retry(isOpen: true, at: late, &$0) }.last == .loadHistory, "its id is forgotten")
    guard case .failed(let failure) = course.judge(by: ["hi"], at: late).outcome else {
      Issue.record("the message was posted a second time")
      return
    }
    #expect(failure.code == "unknown_fate")
  }

  @Test func theSessionIsRenewedOnceForAMessage() {
    var course = posted()
    let gone = RequestFailure(status: 404, message: "no such session")
    #expect(course.fail(gone).outcome == .renewsSession(gone))
    #expect(course.phase == .waiting(.post))
    _ = CallScript.actions { course.streamOpened(at: 1, &$0) }
    #expect(course.fail(gone).outcome == .failed(gone))
  }

  @Test func aReportEndsTheTries() {
    var course = posted()
    #expect(course.turnAppeared() == true)
    #expect(course.turnAppeared() == false)
    #expect(course.fail(lost).outcome == .continues)
    #expect(course.arrival == .ended)
  }

  @Test func anotherSessionGetsTheMessageAgain() {
    var course = posted()
    _ = course.fail(lost)
    let moved = CallScript.actions { course.moveToNewSession(&$0) }
    #expect(moved == [.cancelDeadline(.messageRetry(requestID: "r"))])
    #expect(course.phase == .waiting(.post) && course.arrival == .no && course.earlier == nil)
  }
}

extension MessageCourse {
  /// A post that failed, and what comes of that.
  fileprivate mutating func fail(
    _ failure: RequestFailure, at now: MonotonicNanoseconds = 0
  ) -> (outcome: Outcome, actions: [TurnAction]) {
    var effects = TurnEffects()
    let mayHaveArrived = failure.kind == .transient
    let outcome = postFailed(failure, mayHaveArrived: mayHaveArrived, at: now, &effects)
    return (outcome, effects.takeActions())
  }

  /// A history of the user's words, and what comes of that.
  fileprivate mutating func judge(
    by words: [String], at now: MonotonicNanoseconds
  ) -> (outcome: Outcome, actions: [TurnAction]) {
    var effects = TurnEffects()
    let history = words.map { HistoryMessage(id: $0, role: "user", content: $0) }
    let outcome = judge(by: history, isOpen: true, at: now, &effects)
    return (outcome, effects.takeActions())
  }
}
