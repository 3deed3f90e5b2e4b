import SessionSimulation
import Testing

@testable import CompanionSimulation

/// The companion's judge: each rule is broken by a short story, and named.
struct CompanionCheckerTests {
  private static let key = QuestionKey(turn: 1, place: 0)
  private static let asked = CompanionObservation.asked(key, scope: "tool-1", number: 1)

  private func sent(_ answer: String = "approve", by device: Int = 0) -> CompanionObservation {
    .decisionSent(device: device, Self.key, answer: answer)
  }

  private func taken(_ answer: String = "approve", by device: Int = 0) -> CompanionObservation {
    .decisionTaken(device: device, Self.key, answer: answer, code: "ok")
  }

  private func judge(_ story: [CompanionObservation], each seconds: UInt64 = 0) -> String {
    var checker = CompanionChecker()
    for (index, observation) in story.enumerated() {
      checker.take(observation, at: UInt64(index) * seconds * 1_000_000_000)
    }
    return checker.violations.joined(separator: "\n")
  }

  @Test func aSoundStoryIsSound() {
    let story: [CompanionObservation] = [
      Self.asked, sent(), .audited(Self.key, isYes: true), taken(), .answerTaken(Self.key, accepts: true),
      .ran(Self.key),
    ]
    #expect(judge(story) == "")
  }

  @Test func nothingRunsWithoutAYes() {
    let yes = CompanionObservation.answerTaken(Self.key, accepts: true)
    #expect(judge([Self.asked, yes]).contains("which nobody said"))
    #expect(judge([Self.asked, .ran(Self.key)]).contains("runs without an answer"))
    #expect(judge([Self.asked, sent(), yes]).contains("not in the audit log"))
    let both = [Self.asked, sent("decline", by: 1), taken("decline", by: 1), sent(), yes]
    #expect(judge(both).contains("which was declined"))
  }

  @Test func anAllowanceForTheChatEndsWithTheCompanion() {
    let other = QuestionKey(turn: 2, place: 0)
    let asked = [Self.asked, sent("allow_for_session"), .asked(other, scope: "tool-1", number: 2)]
    let ruled: [CompanionObservation] = [.ruled(other, isYes: true), .answerTaken(other, accepts: true)]
    #expect(judge(asked + ruled) == "")
    #expect(judge(asked + [.companionStarted] + ruled).contains("question 2-0, which nobody said"))
  }

  @Test func whatIsAllowedPermanentlyIsNotAskedAgain() {
    let other = QuestionKey(turn: 2, place: 0)
    let story: [CompanionObservation] = [
      Self.asked, sent("allow_always"), taken("allow_always"), .companionStarted,
      .asked(other, scope: "tool-1", number: 2),
      .personAsked(other),
    ]
    #expect(judge(story).contains("question 2-0 is asked, though tool-1 was allowed permanently"))
  }

  @Test func aDecisionIsUsedOnce() {
    #expect(judge([Self.asked, sent(), taken(), sent(by: 1), taken(by: 1)]).contains("two decisions"))
    #expect(judge([Self.asked, .heardResolved(Self.key), sent(), taken()]).contains("which is known to be over"))
  }

  @Test func aDecisionReachesCodex() {
    let story = [Self.asked, sent(), taken(), .gaveUp(Self.key)]
    #expect(judge(story, each: 1).contains("codex never learnt of it"))
    #expect(judge([Self.asked, sent(), taken(), .linkCut, .gaveUp(Self.key)], each: 1) == "")
  }

  @Test func allDevicesSeeOneLog() {
    #expect(judge([.applied(device: 0, sequence: 2)]).contains("applies event 2 behind 0"))
    let reported = CompanionObservation.appended(sequence: 1, name: "approval_required", approvals: ["a"])
    let again = CompanionObservation.appended(sequence: 2, name: "approval_required", approvals: ["a"])
    #expect(judge([reported, again]).contains("reported twice"))
    let cleared = CompanionObservation.appended(sequence: 1, name: "approval_cleared", approvals: ["a"])
    #expect(judge([cleared]).contains("which was never reported"))
    var checker = CompanionChecker()
    checker.take(reported, at: 0)
    checker.end(unrest: nil)
    #expect(checker.violations.contains { $0.contains("never cleared") })
    #expect(checker.violations.contains { $0.contains("device 1 is at event 0") })
  }
}
