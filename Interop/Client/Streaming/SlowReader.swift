import StreamTransport

/// Takes bytes at a steady rate for a while: who asks for the next event waits until the last one's time is over.
struct SlowReader: Sendable {
  private let pace: StreamingTestCase.SlowStart?
  private let clock: TransportClock
  private var startedAt: Duration?
  private var taken = 0

  init(_ pace: StreamingTestCase.SlowStart?, clock: TransportClock) {
    self.pace = pace
    self.clock = clock
  }

  /// Waits for the time that `bytes` take; throws `CancellationError`.
  mutating func take(_ bytes: Int) async throws {
    guard let pace else { return }
    let now = clock.now()
    let start = startedAt ?? now
    startedAt = start
    taken += bytes
    let due = Duration.seconds(1) * (Double(taken) / Double(pace.bytesPerSecond))
    guard now - start < pace.lasts, start + due > now else { return }
    try await clock.sleep(start + due - now)
  }
}
