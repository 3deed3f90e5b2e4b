import Synchronization

/// Copies a streamed request body to its connection, a chunk at a time, as the socket takes them.
final class RequestPump: Sendable {
  private let task = Mutex<(task: Task<Void, Never>?, isCancelled: Bool)>((nil, false))

  /// - Parameters:
  ///   - write: returns when the socket has taken the chunk.
  ///   - end: called once, with an error where the source failed or the connection took no more.
  func start(
    _ source: any AsyncSequence<[UInt8], any Error> & Sendable,
    write: @escaping @Sendable ([UInt8]) async throws -> Void,
    end: @escaping @Sendable ((any Error)?) -> Void
  ) {
    let copy = Task {
      do {
        for try await chunk in source { try await write(chunk) }
        try Task.checkCancellation()
        end(nil)
      } catch {
        end(error)
      }
    }
    let isCancelled = task.withLock { state in
      state.task = copy
      return state.isCancelled
    }
    if isCancelled { copy.cancel() }
  }

  /// The response is over, so nobody takes the rest.
  func cancel() {
    let running = task.withLock { state -> Task<Void, Never>? in
      state.isCancelled = true
      return state.task
    }
    running?.cancel()
  }
}
