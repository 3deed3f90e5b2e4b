import Testing

@testable import TerminalIO

struct MarkdownParserTests {
  /// cmark-gfm has one table of special characters for the process.
  @Test(.timeLimit(.minutes(10))) func documentsAreReadBesideEachOther() async {
    let source =
      "a ~~b~~ at www.example.org and https://example.org, snake_case `c` **d**\n\n| a | ~~b~~ |\n|---|---|\n| 1 | 2 |\n"
    let whole = "\(MarkdownParser.parse(source))"
    let differing = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<8 {
        group.addTask { (0..<500).count { _ in "\(MarkdownParser.parse(source))" != whole } }
      }
      return await group.reduce(0, +)
    }
    #expect(differing == 0)
  }
}
