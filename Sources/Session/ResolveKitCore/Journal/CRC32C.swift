/// CRC-32C (Castagnoli, RFC 3720 appendix B.4): distinguishes a whole record from a torn or damaged one.
struct CRC32C: Sendable {
  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 0 ? value >> 1 : (value >> 1) ^ 0x82F6_3B78 }
  }

  private var state = UInt32.max

  mutating func add(_ bytes: ArraySlice<UInt8>) {
    let start = state
    state = Self.table.withUnsafeBufferPointer { table in
      bytes.withUnsafeBufferPointer { bytes in
        var value = start
        for byte in bytes { value = (value >> 8) ^ table[Int((value ^ UInt32(byte)) & 0xFF)] }
        return value
      }
    }
  }

  var checksum: UInt32 { ~state }
}
