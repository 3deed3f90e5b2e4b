import Glibc
import HTTP3Engine

/// A clock that a transport or an event source waits by; tests give one whose time they move.
public struct TransportClock: Sendable {
  /// Time since an arbitrary moment; never goes back.
  package let now: @Sendable () -> Duration
  package let sleep: @Sendable (Duration) async throws -> Void
  /// Time since 1970 (UTC), for what outlives the process or comes from another machine. A system's may be set, and so go
  /// back.
  package let timeOfDay: @Sendable () -> Duration

  /// Waits by `clock`; the time of day is the system's.
  public init(_ clock: some Clock<Duration>) {
    self.init(clock, timeOfDay: { Self.time(CLOCK_REALTIME) })
  }

  package init(_ clock: some Clock<Duration>, timeOfDay: @escaping @Sendable () -> Duration) {
    let origin = clock.now
    now = { origin.duration(to: clock.now) }
    sleep = { try await clock.sleep(for: $0) }
    self.timeOfDay = timeOfDay
  }

  /// The system's monotonic clock.
  public static let continuous = TransportClock(ContinuousClock())

  /// `CLOCK_MONOTONIC` in nanoseconds: what other programs on this machine can compare with.
  package static func monotonicNanoseconds() -> UInt64 {
    UInt64(clamping: time(CLOCK_MONOTONIC).nanosecondsClamped)
  }

  /// The time of day in whole seconds since 1970.
  package var secondsSince1970: Int { Int(clamping: timeOfDay().components.seconds) }

  /// The time of day in milliseconds since 1970.
  package var millisecondsSince1970: UInt64 { UInt64(clamping: timeOfDay().nanosecondsClamped / 1_000_000) }

  private static func time(_ clock: clockid_t) -> Duration {
    var time = timespec()
    guard clock_gettime(clock, &time) == 0 else { return .zero }
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  /// Runs `operation` and cancels it after `limit`; nil where it was cut off so.
  package func withLimit<Value: Sendable>(
    _ limit: Duration, _ operation: @escaping @Sendable () async throws -> Value
  ) async throws -> Value? {
    try await withThrowingTaskGroup(of: Value?.self) { group in
      group.addTask { try await operation() }
      group.addTask {
        try await sleep(limit)
        return nil
      }
      defer { group.cancelAll() }
      return try await group.next() ?? nil
    }
  }
}
