/// Reads bytes from the front, and answers nil where there are not enough.
struct ByteReader {
  private var rest: UnsafeRawBufferPointer.SubSequence

  /// Lends the bytes: they must outlive the reader.
  init(_ bytes: UnsafeRawBufferPointer) {
    rest = bytes[...]
  }

  var count: Int { rest.count }
  var isEmpty: Bool { rest.isEmpty }

  mutating func byte() -> UInt8? { rest.popFirst() }

  mutating func bytes(_ count: Int) -> UnsafeRawBufferPointer? {
    guard count >= 0, count <= rest.count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return UnsafeRawBufferPointer(rebasing: rest.prefix(count))
  }

  /// The next `count` bytes, where a length that was read may be beyond any memory.
  mutating func bytes(_ count: UInt64) -> UnsafeRawBufferPointer? {
    Int(exactly: count).flatMap { bytes($0) }
  }

  /// A big-endian integer of at most eight bytes.
  mutating func integer(_ count: Int) -> UInt64? {
    let front = rest.prefix(min(count, 8))
    guard front.count == min(count, 8) else { return nil }
    rest = rest[front.endIndex...]
    var value: UInt64 = 0
    for byte in front { value = value << 8 | UInt64(byte) }
    return value
  }

  /// A variable-length integer (RFC 9000 § 16).
  mutating func varint() -> UInt64? {
    guard let first = rest.first else { return nil }
    let length = 1 << Int(first >> 6)
    guard let value = integer(length) else { return nil }
    return value & (UInt64.max >> UInt64(66 - 8 * length))
  }

  /// Takes all bytes of the front that are zero, and answers how many.
  mutating func zeros() -> Int {
    let count = rest.firstIndex { $0 != 0 }.map { rest.distance(from: rest.startIndex, to: $0) } ?? rest.count
    rest = rest.dropFirst(count)
    return count
  }
}
