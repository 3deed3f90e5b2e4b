/// A limit on what costs us work and the peer next to nothing: taking back a request that it has just sent
/// (RESET_STREAM, STOP_SENDING).
///
/// Streams come again with each one that ends, so their limit bounds what is held and not what is done ("rapid reset").
/// ngtcp2 has a limit of its own from 1.15 on.
struct GlitchBudget {
  /// The limits at once, and in the long run.
  static let burst = 1_000
  static let perSecond = 100

  private var left = Self.burst
  private var refilled = Timestamp(nanoseconds: 0)

  /// Counts one; false where it is one too many.
  mutating func spend(at now: Timestamp) -> Bool {
    let gained = Int64(clamping: (now - refilled).nanosecondsClamped) / (1_000_000_000 / Int64(Self.perSecond))
    if gained > 0 {
      left = min(Self.burst, left + Int(min(gained, Int64(Self.burst))))
      refilled = now
    }
    guard left > 0 else { return false }
    left -= 1
    return true
  }
}
