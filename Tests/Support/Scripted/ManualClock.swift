import Synchronization

/// A clock whose time moves only when a test moves it.
package final class ManualClock: Clock {
  package struct Instant: InstantProtocol {
    package var offset: Duration

    package func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    package func duration(to other: Instant) -> Duration { other.offset - offset }
    package static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  fileprivate struct Sleeper {
    let number: Int
    let deadline: Instant
    let continuation: CheckedContinuation<Void, any Error>
  }

  fileprivate struct State {
    var now = Instant(offset: .zero)
    var count = 0
    var sleepers: [Sleeper] = []
    /// Sleepers whose task was cancelled before they slept.
    var cancelled: Set<Int> = []
    var skipped: [Duration] = []
    var watchers: [(deadline: Instant, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Mutex(State())

  package init() {}

  package var now: Instant { state.withLock { $0.now } }
  package var minimumResolution: Duration { .nanoseconds(1) }

  /// The number of tasks that sleep now.
  package var sleeperCount: Int { state.withLock { $0.sleepers.count } }

  /// The next sleep of exactly this length moves the time instead of waiting.
  package func skipSleep(of duration: Duration) {
    state.withLock { $0.skipped.append(duration) }
  }

  /// Moves the time and wakes the tasks that have slept long enough.
  package func advance(by duration: Duration) {
    let woken = state.withLock { state -> [Sleeper] in
      state.now = state.now.advanced(by: duration)
      return state.removeDue()
    }
    for sleeper in woken { sleeper.continuation.resume() }
  }

  /// Returns when somebody sleeps until exactly `duration` from now.
  package func waitForSleep(of duration: Duration) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state -> Bool in
        let deadline = state.now.advanced(by: duration)
        if state.sleepers.contains(where: { $0.deadline == deadline }) { return true }
        state.watchers.append((deadline, continuation))
        return false
      }
      if isThere { continuation.resume() }
    }
  }

  package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let number = state.withLock { state in
      state.count += 1
      return state.count
    }
    defer { state.withLock { _ = $0.cancelled.remove(number) } }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        begin(Sleeper(number: number, deadline: deadline, continuation: continuation))
      }
    } onCancel: {
      let sleeper = state.withLock { state -> Sleeper? in
        guard let index = state.sleepers.firstIndex(where: { $0.number == number }) else {
          state.cancelled.insert(number)
          return nil
        }
        return state.sleepers.remove(at: index)
      }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }

  private func begin(_ sleeper: Sleeper) {
    let (isCancelled, woken, watchers) = state.withLock {
      state -> (Bool, [Sleeper], [CheckedContinuation<Void, Never>]) in
      if state.cancelled.contains(sleeper.number) { return (true, [], []) }
      let length = state.now.duration(to: sleeper.deadline)
      if let index = state.skipped.firstIndex(of: length) {
        state.skipped.remove(at: index)
        state.now = sleeper.deadline
      }
      state.sleepers.append(sleeper)
      let watchers = state.watchers.filter { $0.deadline == sleeper.deadline }.map(\.continuation)
      state.watchers.removeAll { $0.deadline == sleeper.deadline }
      return (false, state.removeDue(), watchers)
    }
    if isCancelled { sleeper.continuation.resume(throwing: CancellationError()) }
    for due in woken { due.continuation.resume() }
    for watcher in watchers { watcher.resume() }
  }
}

extension ManualClock.State {
  fileprivate mutating func removeDue() -> [ManualClock.Sleeper] {
    let due = sleepers.filter { $0.deadline <= now }
    sleepers.removeAll { $0.deadline <= now }
    return due.sorted { $0.deadline < $1.deadline }
  }
}
