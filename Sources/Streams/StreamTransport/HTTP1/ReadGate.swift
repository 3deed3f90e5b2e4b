import Synchronization

/// Says when to stop reading from a socket because the reader of a body is behind, and when to continue.
final class ReadGate: Sendable {
  private struct State {
    var waiting = 0
    var isClosed = false
  }

  private let state = Mutex(State())
  private let high: Int

  /// - Parameter high: bytes that may wait before the gate closes; it opens again at half of them.
  init(high: Int) {
    self.high = max(high, 2)
  }

  var isOpen: Bool { state.withLock { !$0.isClosed } }

  /// Counts bytes that came from the socket.
  func add(_ count: Int) {
    state.withLock { state in
      state.waiting += count
      if state.waiting >= high { state.isClosed = true }
    }
  }

  /// Counts bytes that the reader took; true when this opened the gate, so that somebody must read again.
  func remove(_ count: Int) -> Bool {
    state.withLock { state in
      state.waiting -= min(count, state.waiting)
      guard state.isClosed, state.waiting <= high / 2 else { return false }
      state.isClosed = false
      return true
    }
  }
}
