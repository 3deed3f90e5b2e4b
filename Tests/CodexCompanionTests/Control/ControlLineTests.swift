import Testing

@testable import CodexCompanion

@Suite struct ControlLineTests {
  @Test(arguments: 1...6)
  func aLineComesInPieces(of size: Int) throws {
    let bytes = Array("hello\n".utf8)
    var line = ControlLine(limit: 5)
    var whole: [UInt8]?
    for start in stride(from: 0, to: bytes.count, by: size) {
      #expect(whole == nil)
      whole = try line.take(bytes[start..<min(start + size, bytes.count)])
    }
    #expect(whole == Array("hello".utf8))
  }

  @Test func aLongLineIsRefusedAtItsLimit() throws {
    var line = ControlLine(limit: 5)
    #expect(try line.take(Array("hello".utf8)) == nil)
    #expect(throws: ControlError.self) { try line.take(Array("!".utf8)) }
    var other = ControlLine(limit: 5)
    #expect(throws: ControlError.self) { try other.take([UInt8](repeating: 0x20, count: 1 << 20)) }
  }

  @Test func bytesBehindTheLineAreRefused() {
    var line = ControlLine(limit: 5)
    #expect(throws: ControlError.self) { try line.take(Array("a\nb".utf8)) }
    var other = ControlLine(limit: 5)
    #expect(throws: ControlError.self) { try other.take(Array("\n\n".utf8)) }
  }
}
