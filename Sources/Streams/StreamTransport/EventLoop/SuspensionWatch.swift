import CLinux

/// Tells from two clocks whether the machine was suspended: one of them stands still meanwhile.
package struct SuspensionWatch {
  /// Shorter than what anybody calls suspended; setting the clock does not count at all.
  private static let shortest = Duration.seconds(1)

  private let suspendedTime: @Sendable () -> UInt64
  private var known: UInt64

  /// - Parameter suspendedTime: how long the machine has been suspended so far, in nanoseconds.
  package init(_ suspendedTime: @escaping @Sendable () -> UInt64 = { clinux_suspended_time() }) {
    self.suspendedTime = suspendedTime
    known = suspendedTime()
  }

  /// The time for which the machine was suspended since the last call; nil if it was not.
  package mutating func check() -> Duration? {
    let now = suspendedTime()
    let duration = Duration.nanoseconds(Int64(clamping: now > known ? now - known : 0))
    guard duration >= Self.shortest else { return nil }
    known = now
    return duration
  }
}
