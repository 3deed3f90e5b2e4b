/// The end of a server: no more requests, and a wait for those that run, limited in time.
struct ServerDrain {
  private enum State {
    case serving
    /// The time limit of the wait has passed.
    case overdue
    case closed
  }

  private var state = State.serving
  private var waiters: [CheckedContinuation<Void, Never>] = []

  var isClosed: Bool {
    switch state {
    case .serving, .overdue: false
    case .closed: true
    }
  }

  /// Has a task wait for the last exchange, the limit or the close, of which each may have come before: a task may leave
  /// the loop even where it calls its own actor.
  mutating func wait(_ waiter: CheckedContinuation<Void, Never>, isIdle: Bool) {
    switch state {
    case .serving where !isIdle: waiters.append(waiter)
    case .serving, .overdue, .closed: waiter.resume()
    }
  }

  /// The last exchange is over.
  mutating func becameIdle() {
    let waiters = waiters
    self.waiters = []
    for waiter in waiters { waiter.resume() }
  }

  mutating func timePassed() {
    if case .serving = state { state = .overdue }
    becameIdle()
  }

  /// False where it was closed before.
  mutating func close() -> Bool {
    guard !isClosed else { return false }
    state = .closed
    becameIdle()
    return true
  }
}
