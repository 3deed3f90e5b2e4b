import Testing

@testable import TerminalIO

struct ApprovalAnswerTests {
  @Test(arguments: [
    ("y", TypedApproval.once), (" YES ", .once), ("s", .session), ("a", .always), ("n", .no),
    ("never", .never), ("", nil), ("maybe", nil),
  ])
  func onlyClearWordsAreAnswers(line: String, answer: TypedApproval?) {
    #expect(TypedApproval(typed: line) == answer)
  }
}
