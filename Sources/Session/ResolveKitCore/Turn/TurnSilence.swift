/// Measures how long a turn has been silent. Only the silence of an open stream counts, and no more of it than one
/// period at a time: the first question after a suspended machine has woken decides nothing.
struct TurnSilence: Equatable, Sendable {
  /// The action to take when a period may be over.
  enum Consequence: Equatable, Sendable {
    /// The turn gave a sign of life meanwhile: look again at that moment.
    case wait(until: MonotonicNanoseconds)
    case ask
    case giveUp
  }

  private var lastActivity: MonotonicNanoseconds
  /// Periods of an open stream without a sign of life.
  private var periods = 0

  init(at now: MonotonicNanoseconds) { lastActivity = now }

  /// An event of the turn has come.
  mutating func broken(at now: MonotonicNanoseconds) {
    excused(at: now)
    periods = 0
  }

  /// Until now the silence was not the backend's.
  mutating func excused(at now: MonotonicNanoseconds) { lastActivity = max(lastActivity, now) }

  mutating func periodEnded(at now: MonotonicNanoseconds, _ policy: TurnPolicy) -> Consequence {
    let next = lastActivity.advanced(bySeconds: policy.watchdogSeconds)
    guard now >= next else { return .wait(until: next) }
    periods += 1
    return periods < policy.giveUpSeconds / max(policy.watchdogSeconds, 1) ? .ask : .giveUp
  }
}
