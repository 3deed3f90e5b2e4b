import Testing

@testable import TerminalIO

struct LineQuestionsTests {
  @Test func aQuestionIsReadAndOver() {
    var questions = LineQuestions()
    #expect(questions.ask().overtakes == false)
    #expect(!questions.isReading)
    #expect(questions.begin(1) == nil)
    #expect(questions.isReading)
    #expect(questions.giveUp(.interrupted) == true)
    questions.end(1)
    #expect(!questions.isReading)
    #expect(questions.giveUp(.interrupted) == false)
  }

  @Test func whatIsGivenUpBeforeItIsReadIsNotRead() {
    var questions = LineQuestions()
    _ = questions.ask()
    #expect(questions.giveUp(.overtaken) == false)
    #expect(questions.begin(1) == .overtaken)
    #expect(!questions.isReading)
    // That was all: the next one is read.
    #expect(questions.ask().overtakes == false)
    #expect(questions.begin(2) == nil)
  }

  @Test func aNewQuestionTakesTheOldOnesPlace() {
    var questions = LineQuestions()
    _ = questions.ask()
    #expect(questions.begin(1) == nil)
    #expect(questions.ask().overtakes == true)
    #expect(questions.ask().overtakes == true)
    questions.end(1)
    #expect(questions.begin(2) == .overtaken)
    #expect(questions.begin(3) == nil)
  }

  /// The old one leaves the screen only after the new one was withdrawn again.
  @Test func whatIsWithdrawnWhileAnotherLeavesIsNotAsked() {
    var questions = LineQuestions()
    _ = questions.ask()
    #expect(questions.begin(1) == nil)
    _ = questions.ask()
    #expect(questions.giveUp(.overtaken) == false)
    questions.end(1)
    #expect(questions.begin(2) == .overtaken)
  }
}
