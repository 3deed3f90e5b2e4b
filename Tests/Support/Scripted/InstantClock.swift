import Synchronization

/// A clock whose short sleeps end at once and move it on; a longer sleep, such as an idle watchdog's, lasts until it is
/// cancelled.
package final class InstantClock: Clock {
  package struct Instant: InstantProtocol {
    var offset: Duration

    package func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    package func duration(to other: Instant) -> Duration { other.offset - offset }
    package static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  package let minimumResolution: Duration = .nanoseconds(1)
  private let limit: Duration
  private let current = Mutex(Instant(offset: .zero))

  package init(upTo limit: Duration = .seconds(20)) {
    self.limit = limit
  }

  package var now: Instant { current.withLock { $0 } }

  /// The time by which sleeps have advanced the clock.
  package var elapsed: Duration { now.offset }

  package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try Task.checkCancellation()
    guard now.duration(to: deadline) <= limit else {
      let (never, continuation) = AsyncStream.makeStream(of: Void.self)
      for await _ in never {}
      _ = continuation
      throw CancellationError()
    }
    current.withLock { $0 = max($0, deadline) }
    await Task.yield()
  }
}
