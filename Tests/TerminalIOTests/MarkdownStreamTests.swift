import TestSupport
import Testing

@testable import TerminalIO

struct MarkdownStreamTests {
  private static let documents = [
    "One paragraph with **bold words**, *emphasis* and `code`, and then some more so that it has to be broken.",
    "# Heading\n\nText after it.\n\n## Second\n- one\n- two with **bold**\n- three\n\nEnd.",
    "Look:\n\n```swift\nlet x = 1\nfunc f() {\n  print(\"a\")\n}\n```\n\nThat was it.",
    "| a | b |\n|---|--:|\n| 1 | 2 |\n| longer | 3 |\n\nAfter the table, a bar | in text.\n\nmore",
    "1. first\n2. second\n   - nested *item*\n   - other\n3. third\n\n> a quote\n> goes on\n\n---\n\nThe end",
    "See [the page](https://example.org/a_b) and https://example.org/x_y_z, or ![a cat](c.png)!",
    "2 * 3 = 6, snake_case and a lone ` here\n\nan unclosed **bold\n\nnext [bracket\n\n~~struck~~ out",
    "世界こんにちは、これは**太字**です。\n\né́ 👩‍👩‍👧 emoji\n\n42\n\n- 1\n- 2",
    "Line one  \nline two\\\nline three\nsoft\n\n<div>\nhtml\n</div>\n\ndone &amp; dusted &lt;x&gt;",
  ]

  private func cells(_ text: String) -> String { text.replacing(/\u{1B}\[[0-9;]*m/, with: "") }

  private func whole(_ source: String, width: Int) -> String {
    var stream = MarkdownStream(width: width)
    return stream.append(source, width: width) + stream.finish()
  }

  private func streamed(_ source: String, width: Int, cut: (Int) -> Int) -> String {
    var stream = MarkdownStream(width: width)
    var output = ""
    var rest = source.unicodeScalars[...]
    var index = 0
    while !rest.isEmpty {
      let size = max(1, cut(index))
      output += stream.append(String(rest.prefix(size)), width: width)
      rest = rest.dropFirst(size)
      index += 1
    }
    return output + stream.finish()
  }

  @Test(arguments: documents, [24, 80])
  func anyChunksShowWhatTheWholeShows(document: String, width: Int) {
    let expected = MarkdownParser.parse(document).map {
      MarkdownLayout.characters(of: $0.block, width: width).escaped
    }.joined(separator: "\n\n")
    #expect(whole(document, width: width) == expected)
    for size in [1, 2, 3, 7, 20] {
      let text = streamed(document, width: width) { _ in size }
      #expect(cells(text) == cells(expected), "chunks of \(size)")
    }
    for seed in UInt64(1)...20 {
      var generator = SeededGenerator(seed: seed)
      let text = streamed(document, width: width) { _ in Int.random(in: 1...12, using: &generator) }
      #expect(cells(text) == cells(expected), "seed \(seed)")
    }
  }

  @Test(arguments: documents)
  func nothingIsTakenBack(document: String) {
    // No cursor movement and no erasing: only SGR is ever sent.
    let text = streamed(document, width: 40) { _ in 1 }
    #expect(!cells(text).contains("\u{1B}"))
  }

  @Test func wordsAreShownAsTheyAreComplete() {
    var stream = MarkdownStream(width: 80)
    #expect(stream.append("The quick br", width: 80) == "The quick")
    #expect(stream.append("own ", width: 80) == " brown")
    #expect(stream.append("**fo", width: 80) == "")
    #expect(stream.append("x** jumps ", width: 80) == " \u{1B}[1mfox\u{1B}[0m jumps")
    #expect(stream.finish() == "")
  }

  @Test func codeIsShownLineByLine() {
    var stream = MarkdownStream(width: 80)
    #expect(stream.append("```\nlet a\n", width: 80) == "\u{1B}[36m  let a\u{1B}[0m")
    #expect(stream.append("}\n", width: 80) == "\n\u{1B}[36m  }\u{1B}[0m")
    #expect(stream.append("```\n", width: 80) == "")
    #expect(stream.append("After it ", width: 80) == "\n\nAfter it")
  }

  @Test func aDelimiterThatIsNeverClosedDoesNotHoldTextForEver() {
    var stream = MarkdownStream(width: 80)
    let words = String(repeating: "word ", count: 400)
    let shown = stream.append("a *star " + words, width: 80)
    #expect(shown.contains("*star"))
    #expect(cells(shown + stream.finish()).split { $0.isWhitespace }.count == 402)
  }

  @Test func aBlockWithoutEndIsShownWithinBounds() {
    var stream = MarkdownStream(width: 80)
    var shown = ""
    for _ in 0..<20_000 { shown += stream.append("some words ", width: 80) }
    shown += stream.finish()
    #expect(shown.split { $0.isWhitespace }.count == 40_000)
  }

  @Test func anyBytesAreTaken() {
    for seed in UInt64(1)...200 {
      var generator = SeededGenerator(seed: seed)
      let letters = Array("ab *_`[]()<>!#-+|~\\\n\n  \t1.&;:\"'>世é")
      let source = String((0..<300).compactMap { _ in letters.randomElement(using: &generator) })
      let text = streamed(source, width: 30) { _ in Int.random(in: 1...9, using: &generator) }
      let letterCount = text.count { $0 == "世" }
      #expect(letterCount >= whole(source, width: 30).count { $0 == "世" }, "seed \(seed): \(source)")
    }
  }
}
