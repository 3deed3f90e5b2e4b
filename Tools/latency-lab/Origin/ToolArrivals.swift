import StreamTransport
import Synchronization

/// The tool results that clients have sent, and the streams that wait for them.
///
/// Runs are distinguished by the schedule's start. Old results are forgotten.
final class ToolArrivals: Sendable {
  struct Key: Hashable, Sendable {
    var start: Int64
    var stream: Int
  }

  private struct State {
    var arrived: Set<Key> = []
    /// The keys in the order of arrival, so that the oldest goes first.
    var order: [Key] = []
    var waiters: [Key: [Int: OneShot<Void>]] = [:]
    var count = 0
  }

  /// Results kept; a run has at most one for each of its streams.
  static let limit = 4_096

  private let state = Mutex(State())

  /// A client's result is here.
  func arrive(_ key: Key) {
    let waiters = state.withLock { state -> [OneShot<Void>] in
      guard state.arrived.insert(key).inserted else { return [] }
      state.order.append(key)
      if state.order.count > Self.limit { state.arrived.remove(state.order.removeFirst()) }
      return (state.waiters.removeValue(forKey: key) ?? [:]).values.map(\.self)
    }
    for waiter in waiters { waiter.answer(.success(())) }
  }

  /// Waits for a result; throws `CancellationError` when the task is cancelled.
  func wait(for key: Key) async throws {
    let waiter = OneShot<Void>()
    let number = state.withLock { state -> Int? in
      guard !state.arrived.contains(key) else { return nil }
      state.count += 1
      state.waiters[key, default: [:]][state.count] = waiter
      return state.count
    }
    guard let number else { return }
    defer {
      state.withLock { state in
        state.waiters[key]?[number] = nil
        if state.waiters[key]?.isEmpty == true { state.waiters[key] = nil }
      }
    }
    try await waiter.value()
  }
}
