/// A point on the monotonic clock (CLOCK_MONOTONIC), in nanoseconds; the engine is given it and never reads the clock.
package struct Timestamp: Hashable, Comparable, Sendable {
  package var nanoseconds: UInt64

  package init(nanoseconds: UInt64) {
    self.nanoseconds = nanoseconds
  }

  package static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  /// Saturates at both ends, so that no duration can trap.
  package static func + (left: Timestamp, right: Duration) -> Timestamp {
    let offset = right.nanosecondsClamped
    if offset < 0 {
      let magnitude = offset.magnitude
      return Timestamp(nanoseconds: left.nanoseconds < magnitude ? 0 : left.nanoseconds - magnitude)
    }
    let (sum, overflow) = left.nanoseconds.addingReportingOverflow(UInt64(offset))
    return Timestamp(nanoseconds: overflow ? .max : sum)
  }

  package static func - (left: Timestamp, right: Timestamp) -> Duration {
    left.nanoseconds >= right.nanoseconds
      ? .nanoseconds(Int64(clamping: left.nanoseconds - right.nanoseconds))
      : .zero - .nanoseconds(Int64(clamping: right.nanoseconds - left.nanoseconds))
  }
}

extension Duration {
  /// The whole duration in nanoseconds, clamped to the range of `Int64` (about 292 years).
  package var nanosecondsClamped: Int64 {
    // Nearly all are below nine seconds and need no division of 128 bits.
    if let attoseconds = Int64(exactly: attoseconds) { return attoseconds / 1_000_000_000 }
    return Int64(clamping: attoseconds / 1_000_000_000)
  }
}
