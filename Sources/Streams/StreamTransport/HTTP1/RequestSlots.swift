import Synchronization

/// Lets a limited number of requests through at once; the others wait in the order in which they came.
final class RequestSlots: Sendable {
  private struct State {
    var free: Int
    var nextTicket = 0
    var waiters: [(ticket: Int, continuation: CheckedContinuation<Void, any Error>)] = []
    /// Tickets whose task was cancelled before it began to wait.
    var cancelled: Set<Int> = []
  }

  private let state: Mutex<State>

  init(count: Int) {
    state = Mutex(State(free: max(count, 1)))
  }

  /// Waits for a slot; it is free again when the last reference to it goes.
  func take() async throws(TransportError) -> RequestSlot {
    let ticket = state.withLock { state in
      state.nextTicket += 1
      return state.nextTicket
    }
    defer { state.withLock { _ = $0.cancelled.remove(ticket) } }
    do {
      try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          let answer = state.withLock { state -> Result<Void, any Error>? in
            if state.cancelled.contains(ticket) { return .failure(CancellationError()) }
            if state.free > 0 {
              state.free -= 1
              return .success(())
            }
            state.waiters.append((ticket, continuation))
            return nil
          }
          if let answer { continuation.resume(with: answer) }
        }
      } onCancel: {
        leave(ticket)
      }
    } catch {
      throw TransportError(.cancelled, "The request was cancelled while it waited for its turn.", cause: error)
    }
    return RequestSlot { self.release() }
  }

  private func leave(_ ticket: Int) {
    let waiter = state.withLock { state -> CheckedContinuation<Void, any Error>? in
      guard let index = state.waiters.firstIndex(where: { $0.ticket == ticket }) else {
        state.cancelled.insert(ticket)
        return nil
      }
      return state.waiters.remove(at: index).continuation
    }
    waiter?.resume(throwing: CancellationError())
  }

  private func release() {
    let waiter = state.withLock { state -> CheckedContinuation<Void, any Error>? in
      guard !state.waiters.isEmpty else {
        state.free += 1
        return nil
      }
      return state.waiters.removeFirst().continuation
    }
    waiter?.resume()
  }
}

/// The right to have one request in flight; given back when the last reference goes.
final class RequestSlot: Sendable {
  private let onRelease: @Sendable () -> Void

  init(onRelease: @escaping @Sendable () -> Void) { self.onRelease = onRelease }
  deinit { onRelease() }
}
