import Synchronization

/// Runs one operation for all who ask for it at the same time; when the last of them leaves, it is cancelled.
final class SharedAttempt<Value: Sendable>: Sendable {
  private struct Run {
    let number: Int
    var task: Task<Void, Never>?
    var waiters: [Int: CheckedContinuation<Value, any Error>]
  }

  private struct State {
    var run: Run?
    var count = 0
    /// Tickets whose task was cancelled before it began to wait.
    var cancelled: Set<Int> = []

    mutating func next() -> Int {
      count += 1
      return count
    }
  }

  private enum Step {
    case leave
    case join
    case start(Int)
  }

  private let state = Mutex(State())

  /// The operation's outcome; starts it unless it runs already. Throws `CancellationError` to those who are cancelled.
  func value(_ operation: @escaping @Sendable () async throws -> Value) async throws -> Value {
    let ticket = state.withLock { $0.next() }
    defer { state.withLock { _ = $0.cancelled.remove(ticket) } }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let step = state.withLock { state -> Step in
          if state.cancelled.contains(ticket) { return .leave }
          if state.run != nil {
            state.run?.waiters[ticket] = continuation
            return .join
          }
          let number = state.next()
          state.run = Run(number: number, waiters: [ticket: continuation])
          return .start(number)
        }
        switch step {
        case .leave: continuation.resume(throwing: CancellationError())
        case .join: break
        case .start(let number): start(number, operation)
        }
      }
    } onCancel: {
      leave(ticket)
    }
  }

  /// Fails all who wait and cancels the operation.
  func cancel(throwing error: any Error) {
    let run = state.withLock { state -> Run? in
      defer { state.run = nil }
      return state.run
    }
    run?.task?.cancel()
    for waiter in run?.waiters.values ?? [:].values { waiter.resume(throwing: error) }
  }

  private func start(_ number: Int, _ operation: @escaping @Sendable () async throws -> Value) {
    let task = Task {
      let outcome: Result<Value, any Error>
      do { outcome = .success(try await operation()) } catch { outcome = .failure(error) }
      finish(number, outcome)
    }
    let isWanted = state.withLock { state in
      guard state.run?.number == number else { return false }
      state.run?.task = task
      return true
    }
    // Either it is over already, or the last who waited left before there was a task to cancel.
    if !isWanted { task.cancel() }
  }

  private func finish(_ number: Int, _ outcome: Result<Value, any Error>) {
    let run = state.withLock { state -> Run? in
      guard state.run?.number == number else { return nil }
      defer { state.run = nil }
      return state.run
    }
    for waiter in run?.waiters.values ?? [:].values { waiter.resume(with: outcome) }
  }

  private func leave(_ ticket: Int) {
    let (waiter, abandoned) = state.withLock {
      state -> (CheckedContinuation<Value, any Error>?, Task<Void, Never>?) in
      guard let waiter = state.run?.waiters.removeValue(forKey: ticket) else {
        state.cancelled.insert(ticket)
        return (nil, nil)
      }
      guard state.run?.waiters.isEmpty == true else { return (waiter, nil) }
      defer { state.run = nil }
      return (waiter, state.run?.task)
    }
    abandoned?.cancel()
    waiter?.resume(throwing: CancellationError())
  }
}
