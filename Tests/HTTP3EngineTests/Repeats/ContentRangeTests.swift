import Testing

@testable import HTTP3Engine

@Suite struct ContentRangeTests {
  @Test(arguments: [0, 63, 64, 16_383, 16_384, 1 << 30, VariableLengthInteger.largest - 3])
  func whatIsWrittenIsRead(_ offset: UInt64) {
    let range = ContentRange(offset: offset, bytes: [1, 2, 3])
    #expect(ContentRange(payload: range.payload) == range)
    #expect(range.payload.count <= 3 + ContentRange.longestPrefix - 8)
    #expect(range.end == offset + 3)
  }

  @Test(
    arguments: [
      [], [5], [0x40], [0x40, 5], [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1],
      VariableLengthInteger.bytes(of: VariableLengthInteger.largest - 1) + [1, 2],
    ] as [[UInt8]])
  func anOffsetThatIsCutNoBytesAndBytesBeyondTheLongestContentAreMalformed(_ payload: [UInt8]) {
    #expect(ContentRange(payload: payload) == nil)
  }
}
