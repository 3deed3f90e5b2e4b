import Testing

@testable import TerminalIO

struct MarkdownLayoutTests {
  private func plain(_ source: String, width: Int) -> String {
    MarkdownParser.parse(source).map { item in
      String(MarkdownLayout.characters(of: item.block, width: width).map(\.character))
    }.joined(separator: "\n\n")
  }

  private func styled(_ source: String, width: Int = 80) -> String {
    MarkdownParser.parse(source).map { MarkdownLayout.characters(of: $0.block, width: width).escaped }
      .joined(separator: "\n\n")
  }

  @Test(arguments: [
    ("one two three four", "one two\nthree\nfour", 8),
    ("# Heading #\ntext", "Heading\n\ntext", 40),
    ("- one\n- two\n  1. three\n  2. four", "• one\n• two\n  1. three\n  2. four", 40),
    ("1. a long item\n2. b", "1. a long\n   item\n2. b", 10),
    ("> quoted words\n> go on", "│ quoted\n│ words go\n│ on", 10),
    ("- item\n\n  second", "• item\n\n  second", 40),
    ("-\n- x", "• \n• x", 40),
    ("a  \nb", "a\nb", 40),
    ("[here](https://a.example/b)", "here (https://a.example/b)", 40),
    ("https://a.example/b www.b.example", "https://a.example/b www.b.example", 40),
    ("![cat](c.png)", "[image: cat] (c.png)", 40),
    ("***", "───", 40),
    ("```swift\nlet a = 1\n\n  b\n```", "  let a = 1\n\n    b", 40),
    ("~~gone~~ ~5", "gone ~5", 40),
    ("<b>x</b>", "<b>x</b>", 40),
    ("snake_case_name 2 * 3", "snake_case_name 2 * 3", 40),
    ("世界世界世界", "世界世界\n世界", 8),
    ("e\u{301}e\u{301} 👩‍👩‍👧 okay", "e\u{301}e\u{301} 👩‍👩‍👧\nokay", 8),
    ("averyveryverylongword x", "averyveryverylongword x", 8),
  ])
  func blocksAreSetInTheWidth(source: String, text: String, width: Int) {
    #expect(plain(source, width: width) == text)
  }

  @Test func tableIsSetInColumnsWhereItFits() {
    let source = "| name | n |\n|:--|--:|\n| a | 1 |\n| 世界 | 20 |"
    #expect(plain(source, width: 40) == "name │  n\n─────┼───\na    │  1\n世界 │ 20")
    #expect(plain(source, width: 8) == "name: a\nn: 1\n\nname: 世界\nn: 20")
  }

  @Test(arguments: [
    ("**b** *i* `c` ~~s~~", "\u{1B}[1mb\u{1B}[0m \u{1B}[3mi\u{1B}[0m \u{1B}[36mc\u{1B}[0m \u{1B}[9ms\u{1B}[0m"),
    ("***both***", "\u{1B}[1;3mboth\u{1B}[0m"),
    ("## H", "\u{1B}[1mH\u{1B}[0m"),
    ("`a`\n\n`b`", "\u{1B}[36ma\u{1B}[0m\n\n\u{1B}[36mb\u{1B}[0m"),
  ])
  func stylesAreClosedWhereTheyEnd(source: String, text: String) {
    #expect(styled(source) == text)
  }

  @Test func deepNestingIsBounded() {
    for source in [
      String(repeating: ">", count: 20_000) + "x", String(repeating: "- ", count: 5_000) + "x",
      String(repeating: "*a ", count: 5_000), String(repeating: "[", count: 20_000),
    ] {
      #expect(plain(source, width: 80).count <= 4 * source.count + 80)
    }
  }

  @Test func characterReferencesMakeNoControls() {
    #expect(plain("a&#27;[2Jb&#x9b;c&#7;", width: 40) == "a[2Jbc")
    #expect(plain("[x](https://a/&#27;b)", width: 40) == "x (https://a/b)")
  }
}
