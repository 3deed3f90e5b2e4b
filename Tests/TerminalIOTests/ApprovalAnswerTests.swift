import Testing

@testable import TerminalIO

struct ApprovalAnswerTests {
  @Test(arguments: [
    ("y", ApprovalAnswer.once), (" YES ", .once), ("s", .session), ("a", .always), ("n", .no),
    ("never", .never), ("", nil), ("maybe", nil),
  ])
  func onlyClearWordsAreAnswers(line: String, answer: ApprovalAnswer?) {
    #expect(ApprovalAnswer(typed: line) == answer)
  }
}
