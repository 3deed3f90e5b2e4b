/// The numbers of the 1-RTT packets that came, within a window behind the greatest: a copy of a packet, which anybody on the way
/// can make, counts for nothing.
struct ReceivedNumbers {
  /// Packets that come later than so many greater ones count as lost: no network reorders so far.
  static let window: UInt64 = 1_024
  private static let bitsPerWord: UInt64 = 64

  private var greatest: UInt64?
  /// A bit for each number of the window, at its place modulo the window.
  private var words = [UInt64](repeating: 0, count: Int(Self.window / Self.bitsPerWord))

  /// Takes note of a packet by its header without protection, which ends in its number; false for one that was noted before,
  /// or is too old to tell.
  mutating func insert(header: UnsafeRawBufferPointer) -> Bool {
    guard let first = header.first else { return false }
    let length = Int(first & 3) + 1
    guard header.count > length else { return false }
    let truncated = header.suffix(length).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return insert(Self.expanded(truncated, length: length, behind: greatest))
  }

  /// Takes note of a number; false as above.
  mutating func insert(_ number: UInt64) -> Bool {
    guard let greatest else {
      self.greatest = number
      set(number)
      return true
    }
    guard number > greatest else {
      guard greatest - number < Self.window, !isSet(number) else { return false }
      set(number)
      return true
    }
    // Those between count as not received; a peer may leave out as many as it likes.
    for skipped in greatest + 1..<min(number, greatest + 1 + Self.window) { clear(skipped) }
    self.greatest = number
    set(number)
    return true
  }

  /// The number of which the header has the last bytes, the one nearest to the next (RFC 9000 § A.3).
  static func expanded(_ truncated: UInt64, length: Int, behind greatest: UInt64?) -> UInt64 {
    let expected = greatest.map { $0 + 1 } ?? 0
    let size = UInt64(1) << UInt64(8 * length)
    let candidate = expected & ~(size - 1) | truncated
    if candidate + size / 2 <= expected, candidate < 1 << 62 - size { return candidate + size }
    if candidate > expected + size / 2, candidate >= size { return candidate - size }
    return candidate
  }

  private func isSet(_ number: UInt64) -> Bool { words[Self.word(number)] & Self.bit(number) != 0 }

  private mutating func set(_ number: UInt64) { words[Self.word(number)] |= Self.bit(number) }

  private mutating func clear(_ number: UInt64) { words[Self.word(number)] &= ~Self.bit(number) }

  private static func word(_ number: UInt64) -> Int { Int(number % window / bitsPerWord) }

  private static func bit(_ number: UInt64) -> UInt64 { 1 << (number % bitsPerWord) }
}
