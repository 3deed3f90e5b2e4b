/// The times at which a NAT forgets its bindings.
struct RebindingSchedule: Sendable {
  private let first: Int64
  private let every: Int64?

  init(_ rebinding: Rebinding) {
    first = LinkTime.nanoseconds(rebinding.firstMilliseconds)
    every = rebinding.everyMilliseconds.map { max(1, LinkTime.nanoseconds($0)) }
  }

  /// The number of times that the bindings have changed this long after the link's start (nil before it).
  func count(at elapsed: Int64?) -> Int {
    guard let elapsed, elapsed >= first else { return 0 }
    guard let every else { return 1 }
    return 1 + Int((elapsed - first) / every)
  }
}
