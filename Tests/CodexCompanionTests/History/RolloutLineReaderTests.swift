import Testing

@testable import CodexCompanion

@Suite struct RolloutLineReaderTests {
  private func read(_ text: String, limit: Int = 10, step: Int) -> (lines: [String], skipped: Int, rest: String?) {
    var reader = RolloutLineReader(limit: limit)
    var lines: [String] = []
    let bytes = Array(text.utf8)
    for start in stride(from: 0, to: bytes.count, by: step) {
      reader.append(Array(bytes[start..<min(start + step, bytes.count)])) {
        lines.append("\($0.number) \(String(decoding: $0.bytes, as: UTF8.self))")
      }
    }
    return (
      lines, reader.skipped, reader.unfinished.map { "\($0.number) \(String(decoding: $0.bytes, as: UTF8.self))" }
    )
  }

  @Test(arguments: [1, 2, 3, 7, 1_000]) func linesAreTheSameHoweverTheBytesCome(step: Int) {
    let whole = read("one\n\n0123456789\n01234567890\nlast", step: step)
    #expect(whole.lines == ["1 one", "2 ", "3 0123456789"])
    #expect(whole.skipped == 1 && whole.rest == "5 last")
  }

  @Test(arguments: [1, 4, 1_000]) func aLongLineIsNotHeld(step: Int) {
    let result = read(String(repeating: "x", count: 500) + "\nnext\n" + String(repeating: "y", count: 11), step: step)
    #expect(result.lines == ["2 next"] && result.skipped == 1 && result.rest == nil)
  }

  @Test func nothingIsNoLine() {
    #expect(read("", step: 1).rest == nil)
    #expect(read("a\n", step: 1).rest == nil)
  }
}
