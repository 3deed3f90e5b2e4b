import Testing

@testable import HTTP3Engine

@Suite struct VariableLengthIntegerTests {
  /// RFC 9000 § A.1, and the edges.
  @Test(
    arguments: [
      (0, [0]), (37, [0x25]), (63, [0x3f]), (64, [0x40, 0x40]), (15_293, [0x7b, 0xbd]), (16_383, [0x7f, 0xff]),
      (16_384, [0x80, 0, 0x40, 0]), (494_878_333, [0x9d, 0x7f, 0x3e, 0x7d]), (1_073_741_823, [0xbf, 0xff, 0xff, 0xff]),
      (1_073_741_824, [0xc0, 0, 0, 0, 0x40, 0, 0, 0]),
      (151_288_809_941_952_652, [0xc2, 0x19, 0x7c, 0x5e, 0xff, 0x14, 0xe8, 0x8c]),
      (VariableLengthInteger.largest, [UInt8](repeating: 0xff, count: 8)),
    ] as [(UInt64, [UInt8])])
  func isWrittenInTheFewestBytesAndReadBack(value: UInt64, bytes: [UInt8]) {
    #expect(VariableLengthInteger.bytes(of: value) == bytes)
    bytes.withUnsafeBytes { buffer in
      var reader = ByteReader(buffer)
      #expect(reader.varint() == value && reader.isEmpty)
    }
  }

  @Test func ofANumberThatIsTooLargeTheLowestBitsAreLeft() {
    #expect(VariableLengthInteger.bytes(of: .max) == [UInt8](repeating: 0xff, count: 8))
    #expect(VariableLengthInteger.bytes(of: 1 << 63 | 5) == [5])
  }
}
