import Synchronization

/// Hands what codex says from the connection to the one task that reads it.
final class AppServerInbox: Sendable {
  private typealias Waiter = CheckedContinuation<AppServerEvent?, any Error>

  private struct State {
    var backlog: AppServerBacklog
    var waiter: Waiter?
    var end: End?
    /// Called once when there is room again.
    var whenRoom: (@Sendable () -> Void)?
  }

  private enum End {
    case closed
    case failed(AppServerError)
  }

  private let state: Mutex<State>

  init(limits: AppServerLimits) {
    state = Mutex(State(backlog: AppServerBacklog(limits: limits)))
  }

  /// Adds an event; ignored after the end.
  func add(_ event: AppServerEvent, bytes: Int) {
    let waiter = state.withLock { state -> Waiter? in
      guard state.end == nil else { return nil }
      if let waiter = state.waiter {
        state.waiter = nil
        return waiter
      }
      state.backlog.append(event, bytes: bytes)
      return nil
    }
    waiter?.resume(returning: event)
  }

  /// Events that were added before are still read.
  func finish(_ error: AppServerError?) {
    let waiter = state.withLock { state -> Waiter? in
      guard state.end == nil else { return nil }
      state.end = error.map { .failed($0) } ?? .closed
      state.whenRoom = nil
      defer { state.waiter = nil }
      return state.waiter
    }
    if let error { waiter?.resume(throwing: error) } else { waiter?.resume(returning: nil) }
  }

  /// Whether more may be taken from codex; if not, `action` is called when it may.
  func hasRoom(inCalls: Bool, otherwise action: @escaping @Sendable () -> Void) -> Bool {
    state.withLock { state in
      let hasRoom = state.backlog.hasRoom(inCalls: inCalls)
      if !hasRoom { state.whenRoom = action }
      return hasRoom
    }
  }

  /// The next event, nil once the connection was closed from here.
  /// - Throws: the reason for which the connection ended otherwise, or `CancellationError`.
  func next(isolation: isolated (any Actor)? = #isolation) async throws -> AppServerEvent? {
    try Task.checkCancellation()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation(isolation: isolation) { continuation in
        take(continuation)
      }
    } onCancel: {
      let waiter = state.withLock { state -> Waiter? in
        defer { state.waiter = nil }
        return state.waiter
      }
      waiter?.resume(throwing: CancellationError())
    }
  }

  private func take(_ continuation: Waiter) {
    let (answer, whenRoom) = state.withLock { state -> (Result<AppServerEvent?, any Error>?, (@Sendable () -> Void)?) in
      // One task reads: a second one fails rather than wait.
      guard state.waiter == nil else { return (.success(nil), nil) }
      if let event = state.backlog.popFirst() {
        guard state.backlog.hasRoom(inCalls: false) else { return (.success(event), nil) }
        defer { state.whenRoom = nil }
        return (.success(event), state.whenRoom)
      }
      switch state.end {
      case .closed: return (.success(nil), nil)
      case .failed(let error): return (.failure(error), nil)
      case nil:
        // The task may be cancelled before the waiter is there for its handler.
        if Task.isCancelled { return (.failure(CancellationError()), nil) }
        state.waiter = continuation
        return (nil, nil)
      }
    }
    whenRoom?()
    if let answer { continuation.resume(with: answer) }
  }
}
