/// The bytes of one CRYPTO stream that wait for earlier ones, as far as the library keeps them.
///
/// The library (1.11) keeps what comes up to 64 KiB ahead, and for each gap some hundred bytes more: one-byte frames made
/// it hold 4 MB. RFC 9000 § 7.5 lets an endpoint set a limit of 4 096 bytes or more.
struct CryptoReordering {
  /// Bytes that may wait during the handshake, and after it, when only a ticket or two are under way.
  static let handshakeLimit: UInt64 = 64 << 10
  static let limit: UInt64 = 16 << 10
  /// Runs of bytes that may wait with gaps between them: a flight of 64 KiB, lost one packet in two, has fewer.
  static let runLimit = 64

  /// All before it was handed to TLS.
  private var next: UInt64 = 0
  /// The runs in order, apart from each other.
  private var runs: [Range<UInt64>] = []

  /// Notes a frame that the library is about to read; false if more would wait than `limit` allows.
  ///
  /// Offset and count are variable-length integers, so that their sum is no more than 2^63.
  mutating func admit(offset: UInt64, count: UInt64, limit: UInt64) -> Bool {
    let end = offset + count
    guard offset > next, count > 0 else { return true }
    guard end - next <= limit else { return false }
    let first = runs.firstIndex { $0.upperBound >= offset } ?? runs.endIndex
    let last = runs[first...].firstIndex { $0.lowerBound > end } ?? runs.endIndex
    let merged = runs[first..<last].reduce(offset..<end) {
      min($0.lowerBound, $1.lowerBound)..<max($0.upperBound, $1.upperBound)
    }
    runs.replaceSubrange(first..<last, with: CollectionOfOne(merged))
    return runs.count <= Self.runLimit
  }

  /// All bytes before `end` were handed to TLS.
  mutating func didDeliver(upTo end: UInt64) {
    next = max(next, end)
    runs.removeAll { $0.upperBound <= next }
    if let first = runs.first, first.lowerBound < next { runs[0] = next..<first.upperBound }
  }
}
