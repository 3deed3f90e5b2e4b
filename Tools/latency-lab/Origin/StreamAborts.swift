import Synchronization

/// The streams that were broken off already, so that each is once: what is asked for again continues to its end.
///
/// Runs are distinguished by the schedule's start. Old streams are forgotten.
final class StreamAborts: Sendable {
  private struct Key: Hashable {
    var start: Int64
    var stream: Int
  }

  private struct State {
    var taken: Set<Key> = []
    /// The keys in the order of taking, so that the oldest goes first.
    var order: [Key] = []
  }

  /// Streams kept.
  static let limit = 4_096

  private let state = Mutex(State())

  /// Whether the stream is to be broken off now; true once for each.
  func take(start: Int64, stream: Int) -> Bool {
    let key = Key(start: start, stream: stream)
    return state.withLock { state in
      guard state.taken.insert(key).inserted else { return false }
      state.order.append(key)
      if state.order.count > Self.limit { state.taken.remove(state.order.removeFirst()) }
      return true
    }
  }
}
