import JSONService
import Testing

@testable import CodexCompanion

@Suite struct TextFormsTests {
  @Test func hexadecimalDigitsAreBytesAndBack() {
    let bytes = [UInt8](0...255)
    #expect(Hexadecimal.bytes(Hexadecimal.text(bytes), count: 256) == bytes)
    #expect(Hexadecimal.text([0, 0x0F, 0xA5]) == "000fa5")
    for text in ["", "0", "0g", "0A", "00ff", "é", "/0", ":0", "`0"] {
      #expect(Hexadecimal.bytes(text, count: 1) == nil, "\(text)")
    }
  }

  @Test func uuidsHaveTheirVersionAndDiffer() throws {
    let random = RandomBytes.seeded()
    let ids = (0..<100).map { _ in random.uuid() }
    #expect(Set(ids).count == 100)
    for id in ids {
      #expect(id.wholeMatch(of: /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/) != nil)
    }
  }

  @Test func aShownLineHidesNothingAndIsShort() {
    #expect(ShownText.line("Ana's phone", limit: 64) == "Ana's phone")
    #expect(ShownText.line("a\u{1B}[2Jb\nc", limit: 64) == "a\\u001b[2Jb\\nc")
    #expect(ShownText.line("evil\u{202E}enohp", limit: 64).contains("\\u202e"))
    #expect(ShownText.line(String(repeating: "x", count: 10_000), limit: 8) == "xxxxxxx…")
    #expect(ShownText.line(String(repeating: "\u{0301}", count: 10_000), limit: 8).count == 8)
    #expect(ShownText.line("12345678", limit: 8) == "12345678")
    #expect(ShownText.line("", limit: 8) == "")
  }
}
