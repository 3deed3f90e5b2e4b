/// The times at which the first racer is tried again while the second is in use: after half a minute, and twice as
/// far off with each failure, up to ten minutes; at once on another network.
package struct ReturnSchedule: Equatable, Sendable {
  private static let firstPause = Duration.seconds(30)
  private static let longestPause = Duration.seconds(600)
  /// While the attempt before, of the race itself, still runs.
  private static let earlyPause = Duration.seconds(1)

  private var step = firstPause
  /// The next try is at least so far off; further where UDP counts as broken.
  package private(set) var pause = firstPause

  package init() {}

  /// Forgets the old network's failures, which do not count on the new one.
  package mutating func networkChanged() {
    step = Self.firstPause
    pause = .zero
  }

  /// The try could not begin yet.
  package mutating func wasTooEarly() {
    pause = Self.earlyPause
  }

  package mutating func failed() {
    step = min(step * 2, Self.longestPause)
    pause = step
  }
}
