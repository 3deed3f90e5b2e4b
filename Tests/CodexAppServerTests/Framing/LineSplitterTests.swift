import CodexAppServer
import Testing

struct LineSplitterTests {
  private static func lines(_ pieces: [some Collection<UInt8>], limit: Int = 100) throws(AppServerError) -> [String] {
    var splitter = LineSplitter(limit: limit)
    var lines: [String] = []
    for piece in pieces {
      for line in try splitter.append(piece) { lines.append(String(decoding: line, as: UTF8.self)) }
    }
    return lines
  }

  @Test func linesAreTheSameHoweverTheyCome() throws {
    let bytes = Array("{\"a\":1}\n\n{\"é\":2}\r\n\r\nlast\nno end".utf8)
    let expected = ["{\"a\":1}", "{\"é\":2}", "last"]
    #expect(try Self.lines([bytes]) == expected)
    for cut in 0...bytes.count { #expect(try Self.lines([bytes[..<cut], bytes[cut...]]) == expected) }
    #expect(try Self.lines(bytes.map { [$0] }) == expected)
  }

  @Test func aLineOfTheLimitIsReadAndALongerOneIsNot() throws {
    let line = Array(repeating: UInt8(ascii: "x"), count: 100)
    #expect(try Self.lines([line + [0x0A]]).count == 1)
    for pieces in [[line + [0x78, 0x0A]], [line, [0x78]], line.map { [$0] } + [[0x78]]] {
      let error = #expect(throws: AppServerError.self) { try Self.lines(pieces) }
      #expect(error?.code == .tooLarge)
    }
  }

  @Test func aLineWithoutEndIsNeverHeldBeyondTheLimit() {
    var splitter = LineSplitter(limit: 1 << 20)
    let piece = [UInt8](repeating: 0x20, count: 64 << 10)
    var taken = 0
    #expect(throws: AppServerError.self) {
      for _ in 0..<1_600 {
        _ = try splitter.append(piece)
        taken += piece.count
      }
    }
    #expect(taken == 1 << 20)
  }
}
