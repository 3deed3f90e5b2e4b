/// Finds the end of a line: CR or LF and nothing else (HTML § 9.2.5; not NEL, VT, FF, U+2028 or U+2029).
enum LineEnd {
  static let lineFeed: UInt8 = 0x0A
  static let carriageReturn: UInt8 = 0x0D

  /// The offset of the first CR or LF at or after `start`; `count` if there is none.
  ///
  /// Looks at eight bytes at once for one below 0x0E: both line ends are, and text hardly has others but TAB. In
  /// `(w - n·0x01…) & ~w & 0x80…` borrows run upwards only, so in little-endian order the lowest mark is exact.
  @inline(__always)
  static func first(in base: UnsafeRawPointer, from start: Int, count: Int) -> Int {
    var offset = start
    while offset &+ 8 <= count {
      var marks = controls(base, offset)
      while marks != 0 {
        let hit = offset &+ (marks.trailingZeroBitCount >> 3)
        if isLineEnd(base.load(fromByteOffset: hit, as: UInt8.self)) { return hit }
        marks &= marks &- 1
      }
      offset &+= 8
    }
    while offset < count {
      if isLineEnd(base.load(fromByteOffset: offset, as: UInt8.self)) { return offset }
      offset &+= 1
    }
    return count
  }

  @inline(__always)
  static func isLineEnd(_ byte: UInt8) -> Bool {
    byte == lineFeed || byte == carriageReturn
  }

  /// The high bit of each byte below 0x0E; above the lowest such byte others may be marked too, but none is missed.
  @inline(__always)
  private static func controls(_ base: UnsafeRawPointer, _ offset: Int) -> UInt64 {
    let word = UInt64(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    return (word &- 0x0E0E_0E0E_0E0E_0E0E) & ~word & 0x8080_8080_8080_8080
  }
}
