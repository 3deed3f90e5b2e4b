import Foundation
import Testing

@testable import ResolveKitSession

struct FeedbackPromptTests {
  @Test func anAnswersRequestWaitsAndAnOperatorsDoesNot() {
    var prompt = FeedbackPrompt()
    #expect(prompt.step(immediate: true) == .showNow)
    #expect(prompt.step(immediate: false) == .ignore, "nothing was answered: the request is of a replayed history")
    prompt.turnEnded(true)
    #expect(prompt.step(immediate: false) == .showAfterDelay)
    prompt.messageSent()
    #expect(prompt.step(immediate: false) == .ignore)
    prompt.turnEnded(false)
    #expect(prompt.step(immediate: false) == .ignore, "the turn failed")
  }

  @Test func whoDoesNotWantToIsAskedByAnOperatorOnly() {
    var prompt = FeedbackPrompt()
    prompt.turnEnded(true)
    prompt.shown()
    #expect(prompt.step(immediate: true) == .ignore, "it is shown already")
    prompt.dismissed()
    let wasShown = [prompt.withdraw(), prompt.withdraw()]
    #expect(wasShown == [true, false])
    prompt.turnEnded(true)
    #expect(prompt.step(immediate: false) == .ignore)
    #expect(prompt.step(immediate: true) == .showNow)
  }

  @Test func aSessionIsRatedOnce() {
    var prompt = FeedbackPrompt()
    prompt.turnEnded(true)
    prompt.submitted()
    #expect(prompt.step(immediate: false) == .ignore)
    #expect(prompt.step(immediate: true) == .ignore)
  }

  @Test func requestsFromBeforeASessionWasTakenUpAreOfThePast() {
    let moment = Date(timeIntervalSince1970: 1000)
    let prompt = FeedbackPrompt(takenUpAt: moment)
    #expect(prompt.step(immediate: true, sentAt: moment.addingTimeInterval(-1)) == .ignore)
    #expect(prompt.step(immediate: true, sentAt: moment) == .showNow)
    #expect(prompt.step(immediate: true, sentAt: nil) == .showNow)
  }
}
