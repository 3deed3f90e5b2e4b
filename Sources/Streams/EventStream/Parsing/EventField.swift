/// A line's field name, and where its value begins (HTML § 9.2.6: case matters, one space after the colon goes).
struct EventField {
  enum Name: Equatable {
    case data
    case event
    case id
    case retry
    case comment
    case unknown(length: Int)
  }

  let name: Name
  let valueStart: Int

  private static let colon: UInt8 = 0x3A
  private static let space: UInt8 = 0x20

  /// - Parameters:
  ///   - base: the line's first byte.
  ///   - count: its length, at least one.
  @inline(__always)
  init(_ base: UnsafeRawPointer, _ count: Int) {
    let nameLength: Int
    if count >= 4, Self.word(base) == 0x6174_6164 /* data */, Self.ends(base, 4, count) {
      (name, nameLength) = (.data, 4)
    } else if base.load(as: UInt8.self) == Self.colon {
      (name, nameLength) = (.comment, 0)
    } else if count >= 2, Self.halfWord(base, 0) == 0x6469 /* id */, Self.ends(base, 2, count) {
      (name, nameLength) = (.id, 2)
    } else if count >= 5, Self.ends(base, 5, count), Self.word(base) == 0x6E65_7665 /* even */,
      base.load(fromByteOffset: 4, as: UInt8.self) == 0x74 /* t */
    {
      (name, nameLength) = (.event, 5)
    } else if count >= 5, Self.ends(base, 5, count), Self.word(base) == 0x7274_6572 /* retr */,
      base.load(fromByteOffset: 4, as: UInt8.self) == 0x79 /* y */
    {
      (name, nameLength) = (.retry, 5)
    } else {
      var length = 0
      while !Self.ends(base, length, count) { length &+= 1 }
      (name, nameLength) = (.unknown(length: length), length)
    }
    var start = min(nameLength &+ 1, count)
    if start < count, base.load(fromByteOffset: start, as: UInt8.self) == Self.space { start &+= 1 }
    valueStart = start
  }

  /// Whether a name of `length` bytes ends here: at the line's end or at a colon.
  @inline(__always)
  private static func ends(_ base: UnsafeRawPointer, _ length: Int, _ count: Int) -> Bool {
    length == count || base.load(fromByteOffset: length, as: UInt8.self) == colon
  }

  @inline(__always)
  private static func word(_ base: UnsafeRawPointer) -> UInt32 {
    UInt32(littleEndian: base.loadUnaligned(as: UInt32.self))
  }

  @inline(__always)
  private static func halfWord(_ base: UnsafeRawPointer, _ offset: Int) -> UInt16 {
    UInt16(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: UInt16.self))
  }
}
