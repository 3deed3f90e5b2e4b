/// The time before a deadline at which to wake, so that the way out of sleep is over when it comes: the lateness of
/// recent wake-ups, and half as much again. The rest is spent awake; a few microseconds for each packet.
struct WakeUpMargin {
  private static let most: Int64 = 150_000
  private static let weight: Int64 = 8

  private var meanLateness: Int64 = 20_000

  /// The margin in nanoseconds.
  var nanoseconds: Int64 { min(meanLateness + meanLateness / 2, Self.most) }

  /// The timer was set for `planned` and the thread ran at `now`. One long stop says little about the next wake-up.
  mutating func woke(_ now: Int64, planned: Int64) {
    let lateness = min(max(now - planned, 0), Self.most)
    meanLateness += (lateness - meanLateness) / Self.weight
  }
}
