import Glibc

/// A clock that a transport or an event source waits by; tests give one whose time they move.
public struct TransportClock: Sendable {
  /// Time since an arbitrary moment; never goes back.
  package let now: @Sendable () -> Duration
  package let sleep: @Sendable (Duration) async throws -> Void

  /// Waits by `clock`.
  public init(_ clock: some Clock<Duration>) {
    let origin = clock.now
    now = { origin.duration(to: clock.now) }
    sleep = { try await clock.sleep(for: $0) }
  }

  /// The system's monotonic clock.
  public static let continuous = TransportClock(ContinuousClock())

  /// `CLOCK_MONOTONIC` in nanoseconds: what other programs on this machine can compare with.
  package static func monotonicNanoseconds() -> UInt64 {
    var time = timespec()
    guard clock_gettime(CLOCK_MONOTONIC, &time) == 0 else { return 0 }
    return UInt64(clamping: time.tv_sec) &* 1_000_000_000 &+ UInt64(clamping: time.tv_nsec)
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
