import Synchronization

/// The bytes that many streams hold together for readers that are slow. Beyond the limit the stream that holds most is
/// ended: its client comes back with its cursor.
///
/// Counted in steps, so that streams whose readers keep up cost nothing here.
package final class StreamBudget: Sendable {
  private struct Share {
    var steps = 0
    /// Ends the stream.
    let end: @Sendable () -> Void
  }

  private struct State {
    var count = 0
    var steps = 0
    var shares: [Int: Share] = [:]

    /// Takes out the stream that holds most.
    mutating func removeLargest() -> Share? {
      guard let largest = shares.max(by: { $0.value.steps < $1.value.steps }) else { return nil }
      steps -= largest.value.steps
      return shares.removeValue(forKey: largest.key)
    }
  }

  /// Bytes of a step. What a stream holds beyond its last whole step is not counted.
  static let step = 8 << 10

  private let limit: Int
  private let state = Mutex(State())

  /// - Parameter bytes: the most that all streams hold.
  package init(bytes: Int) { limit = bytes / Self.step }

  /// The bytes that are held.
  package var bytes: Int { state.withLock { $0.steps } * Self.step }

  /// Takes a stream in; returns its number.
  ///
  /// - Parameter end: ends the stream, which is taken out before.
  func join(_ end: @escaping @Sendable () -> Void) -> Int {
    state.withLock { state in
      state.count += 1
      state.shares[state.count] = Share(end: end)
      return state.count
    }
  }

  func leave(_ number: Int) {
    state.withLock { $0.steps -= $0.shares.removeValue(forKey: number)?.steps ?? 0 }
  }

  /// A stream holds so many steps now; returns what ends those that hold too much for all.
  func charge(_ number: Int, steps: Int) -> [@Sendable () -> Void] {
    state.withLock { state in
      guard let share = state.shares[number] else { return [] }
      state.steps += steps - share.steps
      state.shares[number]?.steps = steps
      var ends: [@Sendable () -> Void] = []
      while state.steps > limit, let share = state.removeLargest() { ends.append(share.end) }
      return ends
    }
  }
}
