/// The tokens of NEW_TOKEN frames that clients have used, by the random bytes at their end; a megabyte at most.
struct SpentTokens {
  enum Insertion: Equatable {
    /// Not used before.
    case fresh
    case known
    /// There is no room to remember it.
    case full
  }

  static let defaultCapacity = 1 << 16

  private let capacity: Int
  private var marks: Set<UInt64> = []

  init(capacity: Int) {
    self.capacity = capacity
  }

  /// Notes a token's use.
  mutating func insert(_ token: UnsafeRawBufferPointer) -> Insertion {
    let mark = token.suffix(8).reduce(0) { $0 << 8 | UInt64($1) }
    if marks.contains(mark) { return .known }
    guard marks.count < capacity else { return .full }
    marks.insert(mark)
    return .fresh
  }

  mutating func removeAll() {
    marks = []
  }
}
