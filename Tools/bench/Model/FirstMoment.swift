import Synchronization

/// The first of several moments.
final class FirstMoment: Sendable {
  private let value = Mutex<ContinuousClock.Instant?>(nil)

  /// Nil before there is one.
  var moment: ContinuousClock.Instant? { value.withLock { $0 } }

  func set(_ moment: ContinuousClock.Instant) { value.withLock { $0 = $0 ?? moment } }
}
