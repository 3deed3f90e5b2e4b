import HTTP3Engine

/// What the metrics have seen of counters that others keep.
struct ServerTallies {
  private var countedRefusals: UInt64 = 0
  private var nextLookAtDrops = Timestamp(nanoseconds: 0)

  /// The growth of the endpoint's count of early data that it refused; nil for none.
  mutating func newRefusals(_ count: UInt64) -> UInt64? {
    guard count > countedRefusals else { return nil }
    defer { countedRefusals = count }
    return count - countedRefusals
  }

  /// Whether the kernel is to be asked for its drops, which is a system call: once a second at most.
  mutating func isLookAtDropsDue(at now: Timestamp) -> Bool {
    guard now >= nextLookAtDrops else { return false }
    nextLookAtDrops = now + .seconds(1)
    return true
  }
}
