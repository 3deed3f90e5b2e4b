package import ResolveKitCore
package import StreamTransport

/// The session's time: this machine's monotonic clock, shifted so that it continues over the end of a process and while the
/// machine is suspended, as the backend's time does.
package struct SessionClock {
  private var suspension: SuspensionWatch
  private let monotonic: @Sendable () -> MonotonicNanoseconds
  /// The session's time minus the monotonic clock, in nanoseconds.
  private var shift: Int64 = 0

  package init(
    suspension: SuspensionWatch = SuspensionWatch(),
    monotonic: @escaping @Sendable () -> MonotonicNanoseconds = TransportClock.monotonicNanoseconds
  ) {
    self.suspension = suspension
    self.monotonic = monotonic
  }

  package mutating func now() -> MonotonicNanoseconds {
    if let (seconds, rest) = suspension.check()?.components {
      shift &+= seconds &* 1_000_000_000 &+ rest / 1_000_000_000
    }
    return sessionTime(monotonic())
  }

  /// The time until `moment`; zero where it has passed.
  package mutating func wait(until moment: MonotonicNanoseconds) -> Duration {
    let now = now()
    return .nanoseconds(Int64(clamping: moment > now ? moment - now : 0))
  }

  package func sessionTime(_ monotonic: MonotonicNanoseconds) -> MonotonicNanoseconds {
    MonotonicNanoseconds(clamping: Int64(clamping: monotonic) &+ shift)
  }

  package func monotonicTime(_ time: MonotonicNanoseconds) -> MonotonicNanoseconds {
    MonotonicNanoseconds(clamping: Int64(clamping: time) &- shift)
  }

  /// Continues from `time`, which was `milliseconds` ago: between two processes only the wall clock measures that.
  package mutating func resume(from time: MonotonicNanoseconds, after milliseconds: UInt64) {
    let away = milliseconds.multipliedReportingOverflow(by: 1_000_000)
    let now = time.advanced(byNanoseconds: away.overflow ? .max : away.partialValue)
    shift = Int64(clamping: now) &- Int64(clamping: monotonic())
  }
}
