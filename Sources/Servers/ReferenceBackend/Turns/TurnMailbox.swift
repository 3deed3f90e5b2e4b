import Synchronization

/// The events of a turn, in order. One task takes them, all that wait at once: what a model says while its last words are
/// being stored is stored together.
final class TurnMailbox: Sendable {
  private struct State {
    var events: [TurnCourse.Event] = []
    var taker: CheckedContinuation<Void, Never>?
    /// The tasks that wait for room.
    var senders: [CheckedContinuation<Void, Never>] = []
    var isClosed = false
  }

  /// Events that wait before their sender does.
  static let room = 64

  private let state = Mutex(State())

  func post(_ event: TurnCourse.Event) {
    let taker = state.withLock { state in
      if !state.isClosed { state.events.append(event) }
      return state.taker.take()
    }
    taker?.resume()
  }

  /// Returns when there is room for the next, or nobody takes any more.
  func deliver(_ event: TurnCourse.Event) async {
    post(event)
    await withCheckedContinuation { continuation in
      let mustWait = state.withLock { state in
        guard state.events.count >= Self.room else { return false }
        state.senders.append(continuation)
        return true
      }
      if !mustWait { continuation.resume() }
    }
  }

  /// The events that wait, oldest first; none once it is closed.
  func take() async -> [TurnCourse.Event] {
    while true {
      let (events, senders, isClosed) = state.withLock { state in
        defer { (state.events, state.senders) = ([], []) }
        return (state.events, state.senders, state.isClosed)
      }
      for sender in senders { sender.resume() }
      if !events.isEmpty || isClosed { return events }
      await withCheckedContinuation { continuation in
        let mustWait = state.withLock { state in
          guard state.events.isEmpty, !state.isClosed else { return false }
          state.taker = continuation
          return true
        }
        if !mustWait { continuation.resume() }
      }
    }
  }

  /// Drops what waits and what comes.
  func close() {
    let (taker, senders) = state.withLock { state in
      state.isClosed = true
      state.events = []
      defer { state.senders = [] }
      return (state.taker.take(), state.senders)
    }
    taker?.resume()
    for sender in senders { sender.resume() }
  }
}
