/// A limit on what costs us work and the peer next to nothing; some of it comes back with time.
///
/// Requests that are taken back as soon as they were sent (RESET_STREAM, STOP_SENDING) have one: streams come again with
/// each one that ends, so their limit bounds what is held and not what is done ("rapid reset"). ngtcp2 has a limit of its
/// own from 1.15 on. ``FrameBudget`` is made of another.
struct GlitchBudget {
  /// The limits at once, and in the long run, of requests that are taken back.
  static let burst = 1_000
  static let perSecond = 100

  private let burst: Int
  private let interval: Int64
  private var left: Int
  private var refilled = Timestamp(nanoseconds: 0)

  /// - Parameters:
  ///   - burst: the limit at once.
  ///   - perSecond: the limit in the long run, 1 at least.
  init(burst: Int = Self.burst, perSecond: Int = Self.perSecond) {
    self.burst = burst
    interval = 1_000_000_000 / Int64(perSecond)
    left = burst
  }

  /// Counts one, or several; false where they are too many.
  mutating func spend(_ count: Int = 1, at now: Timestamp) -> Bool {
    let gained = Int64(clamping: (now - refilled).nanosecondsClamped) / interval
    if gained > 0 {
      earn(Int(min(gained, Int64(burst))))
      // What is left of the time counts for the next one.
      refilled = refilled + .nanoseconds(gained * interval)
    }
    guard left >= count else { return false }
    left -= count
    return true
  }

  /// Gives some back, for what was worth it.
  mutating func earn(_ count: Int) { left = min(burst, left + count) }
}
