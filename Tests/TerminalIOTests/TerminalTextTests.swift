import Testing

@testable import TerminalIO

struct TerminalTextTests {
  @Test(arguments: [
    ("plain\n\ttext ü 🙂 e\u{301}", "plain\n\ttext ü 🙂 e\u{301}"),
    ("\u{1B}[2J\u{1B}]52;c;aGk=\u{07}x", "[2J]52;c;aGk=x"),
    ("a\r\nb\u{08}\u{7F}", "a\nb"),
    ("\u{9B}31mred\u{85}", "31mred"),
    ("safe\u{202E}gpj.exe\u{2066}", "safegpj.exe"),
    ("\0", ""),
    ("a\u{200F}b\u{061C}c\u{E0041}d\u{2028}e", "abcde"),
  ])
  func controlsAreDropped(text: String, safe: String) {
    #expect(TerminalText.safe(text) == safe)
  }

  @Test func lineStaysOneLine() {
    #expect(TerminalText.line("a\nb\tc") == "a b c")
  }
}
