import Testing

@testable import TerminalIO

struct TerminalWrapTests {
  @Test(arguments: [
    ("  one two three", 80, ["  one two three"]),
    ("  one two three", 9, ["  one two", "      three"]),
    ("  /help   this list", 80, ["  /help   this list"]),
    ("世界 世界", 6, ["世界", "    世界"]),
    ("averyveryverylongword x", 8, ["averyveryverylongword", "    x"]),
    ("", 8, [""]), ("   ", 2, ["   "]),
  ])
  func linesAreBrokenBetweenWords(line: String, width: Int, lines: [String]) {
    #expect(TerminalWrap.lines(line, width: width) == lines)
  }
}
