/// QUIC's variable-length integers as they are written (RFC 9000 § 16); ``ByteReader`` reads them.
package enum VariableLengthInteger {
  /// The largest there is.
  package static let largest: UInt64 = 1 << 62 - 1

  /// The encoding in the fewest bytes; of a larger number than the largest the lowest 62 bits.
  package static func bytes(of value: UInt64) -> [UInt8] {
    let value = value & largest
    let (count, mark): (Int, UInt64) =
      switch value {
      case ..<(1 << 6): (1, 0)
      case ..<(1 << 14): (2, 1 << 14)
      case ..<(1 << 30): (4, 2 << 30)
      default: (8, 3 << 62)
      }
    return (0..<count).reversed().map { UInt8(truncatingIfNeeded: (value | mark) >> (8 * UInt64($0))) }
  }
}
