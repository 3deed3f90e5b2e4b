import Synchronization

/// A continuation that several sides may answer, of which the first counts.
package final class OneShot<Value: Sendable>: Sendable {
  private enum State {
    case idle
    case waiting(CheckedContinuation<Value, any Error>)
    case answered(Result<Value, any Error>)
    case done
  }

  private let state = Mutex(State.idle)

  package init() {}

  /// Whether this answer was the first.
  @discardableResult
  package func answer(_ result: Result<Value, any Error>) -> Bool {
    let (isFirst, waiter) = state.withLock {
      state -> (Bool, CheckedContinuation<Value, any Error>?) in
      switch state {
      case .idle:
        state = .answered(result)
        return (true, nil)
      case .waiting(let waiter):
        state = .done
        return (true, waiter)
      case .answered, .done: return (false, nil)
      }
    }
    waiter?.resume(with: result)
    return isFirst
  }

  /// Waits for the first answer; may be called once. Cancelling the task is an answer too.
  ///
  /// It waits where the caller is: an actor that lives on a loop continues there, without two switches of threads.
  package func value(isolation: isolated (any Actor)? = #isolation) async throws -> Value {
    try await withTaskCancellationHandler {
      // Named, since only a closure that captures the caller's isolation has it (SE-0420).
      try await withCheckedThrowingContinuation(isolation: isolation) { continuation in
        let answer = state.withLock { state -> Result<Value, any Error>? in
          switch state {
          case .idle:
            state = .waiting(continuation)
            return nil
          case .answered(let result):
            state = .done
            return result
          case .waiting, .done: preconditionFailure("A one-shot is awaited once.")
          }
        }
        if let answer { continuation.resume(with: answer) }
      }
    } onCancel: {
      answer(.failure(CancellationError()))
    }
  }
}
