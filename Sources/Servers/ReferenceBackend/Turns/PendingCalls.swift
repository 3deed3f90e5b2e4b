import EventLedger
import Synchronization

/// Brings results to the turns that wait for them. What a call came to is for the database to say; this only wakes.
package final class PendingCalls: Sendable {
  private let store: CallStore
  private let clock: any Clock<Duration>
  private let now: @Sendable () -> WallTime
  private let waiting = Mutex<[CallKey: AsyncStream<Void>.Continuation]>([:])

  init(store: CallStore, clock: any Clock<Duration>, now: @escaping @Sendable () -> WallTime) {
    self.store = store
    self.clock = clock
    self.now = now
  }

  /// Takes a result. When this returns, the result outlives the process.
  func deliver(
    _ outcome: ToolOutcome, for key: CallKey, idempotencyKey: String
  ) async throws -> CallStore.Delivery {
    let delivery = try await store.settle(key, as: outcome, idempotencyKey: idempotencyKey)
    if delivery == .accepted { waiting.withLock { $0[key] }?.finish() }
    return delivery
  }

  /// The result of a call that was asked for. Its time begins now, or began before a restart.
  ///
  /// - Parameter onWait: called where it is not there yet.
  func outcome(of key: CallKey, within limit: Duration, onWait: () -> Void) async throws -> ToolOutcome {
    let (end, wake) = AsyncStream<Void>.makeStream()
    waiting.withLock { $0[key] = wake }
    defer { waiting.withLock { $0[key] = nil } }
    // Behind the registration: what is accepted from here on wakes this, what was before is found.
    let now = self.now()
    let due = try await store.start(key, due: now + limit)
    if let outcome = try await store.outcome(of: key) { return outcome }
    onWait()
    // A clock that was set meanwhile makes no call's time longer.
    let rest = min(limit, max(.zero, now.duration(to: due)))
    let timer = Task { [clock] in
      try await clock.sleep(for: rest)
      wake.finish()
    }
    defer { timer.cancel() }
    for await _ in end {}
    try Task.checkCancellation()
    return try await store.close(key)
  }
}
