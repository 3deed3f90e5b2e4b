import Testing

@testable import TerminalIO

struct StreamedTextTests {
  struct Row: CustomTestStringConvertible {
    let shown: String
    let whole: String
    let new: String
    var isContinued = true
    var testDescription: String { "\(shown.debugDescription) \(whole.debugDescription)" }
  }

  @Test(arguments: [
    Row(shown: "", whole: "one", new: "one"), Row(shown: "one", whole: "one two", new: " two"),
    Row(shown: "one", whole: "one", new: ""), Row(shown: "one \n", whole: "one", new: ""),
    Row(shown: "one two", whole: "one", new: "one", isContinued: false),
    Row(shown: "one", whole: "two", new: "two", isContinued: false),
    Row(shown: "e", whole: "e\u{301}", new: "\u{301}"),
  ])
  func theWholeTextAddsWhatWasNotShown(_ row: Row) {
    var text = StreamedText()
    _ = text.append(row.shown)
    let (new, isContinued) = text.advance(to: row.whole)
    #expect(new == row.new && isContinued == row.isContinued)
  }

  @Test func whatFollowsACorrectionContinuesIt() {
    var text = StreamedText()
    _ = text.append("one ")
    _ = text.advance(to: "one")
    #expect(text.advance(to: "one more").new == " more")
  }
}
