import Testing

@testable import CodexAppServer

struct CodexLogTests {
  @Test(arguments: [
    ("", ""), ("one\ntwo\n", "two"),
    ("WARNING: x\nError: no config\n\nStack backtrace:\n   0: <unknown>\n", "no config"),
    ("Error: first\nError: second\r\n", "second"), ("an Error: in the middle", "an Error: in the middle"),
    ("Error: ", ""), ("\n\n", ""),
  ])
  func theLastWordIsTheErrorBeforeItsBacktrace(log: String, word: String) {
    #expect(CodexLog.lastWord(of: Array(log.utf8)) == word)
  }
}
