package import HTTPTypes
import Synchronization

/// Hands a message's bytes from the connection that receives them to the one task that reads them.
///
/// It holds what the flow-control window lets the peer send and no more: `onConsumed` informs the producer when
/// bytes leave, and returns credit then.
package final class BodyChannel: Sendable {
  fileprivate typealias Waiter = UnsafeContinuation<[UInt8]?, any Error>
  fileprivate typealias Answer = Result<[UInt8]?, any Error>

  fileprivate struct State {
    var chunks: [[UInt8]] = []
    var head = 0
    var outcome: Outcome = .open
    /// Resumed once, since the resuming side takes it out of here under the lock; a checked one would be one more object
    /// for each piece.
    var waiter: Waiter?
    var whenBroken: (@Sendable (any Error) -> Void)?
  }

  fileprivate enum Outcome {
    case open
    case finished(trailers: HTTPFields?)
    case failed(any Error)
    case cancelled
  }

  private let state = Mutex(State())
  private let onConsumed: @Sendable (Int) -> Void
  private let onCancel: @Sendable () -> Void
  private let onPriority: @Sendable (RequestPriority) -> Void

  /// - Parameters:
  ///   - onConsumed: receives the number of bytes that the reader took, or left behind after the end; called on the reader's task.
  ///   - onCancel: called once if the reader leaves before the end.
  ///   - onPriority: receives how soon the reader wants the rest, while it is not complete.
  package init(
    onConsumed: @escaping @Sendable (Int) -> Void = { _ in },
    onCancel: @escaping @Sendable () -> Void = {},
    onPriority: @escaping @Sendable (RequestPriority) -> Void = { _ in }
  ) {
    self.onConsumed = onConsumed
    self.onCancel = onCancel
    self.onPriority = onPriority
  }

  /// Adds bytes; ignored after the end.
  package func yield(_ bytes: [UInt8]) {
    if add(bytes) != .none { wakeReader() }
  }

  /// Whether the reader of a body waits, for the bytes that were just added or for others too.
  enum Demand {
    case none, first, more
  }

  /// Adds bytes. Where the reader waits, ``wakeReader()`` is to follow, once all that is at hand was added: each waking is a
  /// switch of threads.
  func add(_ bytes: [UInt8]) -> Demand {
    state.withLock { state in
      guard case .open = state.outcome else { return .none }
      defer { state.append(bytes) }
      guard state.waiter != nil else { return .none }
      return state.chunks.isEmpty ? .first : .more
    }
  }

  /// Hands a reader that waits what there is for it.
  func wakeReader() {
    let woken = state.withLock { state -> (Waiter, Answer)? in
      guard let waiter = state.waiter, let answer = state.takeAnswer() else { return nil }
      state.waiter = nil
      return (waiter, answer)
    }
    guard let (waiter, answer) = woken else { return }
    if case .success(let bytes?) = answer { onConsumed(bytes.count) }
    waiter.resume(with: answer)
  }

  /// Ends the body, gracefully or with `error`; what was added before is still read. Ignored after the end.
  package func finish(throwing error: (any Error)? = nil) {
    guard let error else { return finish(trailers: nil) }
    end(.failed(error))
  }

  /// Ends the body gracefully, with the trailers that followed it. Ignored after the end.
  package func finish(trailers: HTTPFields?) {
    end(.finished(trailers: trailers))
  }

  private func end(_ outcome: Outcome) {
    let whenBroken = state.withLock { state -> (@Sendable (any Error) -> Void)? in
      guard case .open = state.outcome else { return nil }
      state.outcome = outcome
      defer { state.whenBroken = nil }
      return state.whenBroken
    }
    if case .failed(let error) = outcome { whenBroken?(error) }
    wakeReader()
  }

  /// Whether the reader waits.
  var isAwaited: Bool { state.withLock { $0.waiter != nil } }

  /// Whether there are bytes that the reader has not taken.
  var hasUnread: Bool { state.withLock { $0.head < $0.chunks.count } }

  /// The trailer section; nil before the body's end.
  package var trailers: HTTPFields? {
    state.withLock { state in
      guard case .finished(let trailers) = state.outcome else { return nil }
      return trailers
    }
  }

  /// Calls `action` if the body breaks off, at once if it has; not when its reader leaves.
  package func whenBroken(_ action: @escaping @Sendable (any Error) -> Void) {
    let error = state.withLock { state -> (any Error)? in
      switch state.outcome {
      case .open:
        state.whenBroken = action
        return nil
      case .failed(let error): return error
      case .finished, .cancelled: return nil
      }
    }
    if let error { action(error) }
  }

  /// The reader leaves; unread bytes are dropped.
  package func cancel() {
    let (isFirst, dropped) = state.withLock { state -> (Bool, Int) in
      guard case .open = state.outcome else {
        let dropped = state.chunks[state.head...].reduce(0) { $0 + $1.count }
        // Bytes are lost: what is left must not look like a whole body.
        if state.head < state.chunks.count { state.outcome = .cancelled }
        state.chunks = []
        state.head = 0
        return (false, dropped)
      }
      state.outcome = .cancelled
      state.chunks = []
      state.head = 0
      return (true, 0)
    }
    wakeReader()
    if isFirst { onCancel() }
    // Nobody gives the producer of a complete body its credit back otherwise.
    if dropped > 0 { onConsumed(dropped) }
  }

  /// The reader wants the rest sooner or later than before.
  package func setPriority(_ priority: RequestPriority) {
    let isOpen = state.withLock { state in
      if case .open = state.outcome { true } else { false }
    }
    if isOpen { onPriority(priority) }
  }

  /// The next bytes, nil at the end; cancelling the reading task cancels the body.
  package func next(isolation: isolated (any Actor)? = #isolation) async throws -> [UInt8]? {
    if !Task.isCancelled, let bytes = state.withLock({ $0.waiter == nil ? $0.popFirst() : nil }) {
      onConsumed(bytes.count)
      return bytes
    }
    let bytes = try await withTaskCancellationHandler {
      // Named, since only a closure that captures the caller's isolation has it (SE-0420).
      try await withUnsafeThrowingContinuation(isolation: isolation) { continuation in
        let answer = state.withLock { state -> Answer? in
          if state.waiter != nil {
            return .failure(TransportError(.invalidRequest, "A body has one reader; this is a second one."))
          }
          if let answer = state.takeAnswer() { return answer }
          state.waiter = continuation
          return nil
        }
        guard let answer else { return }
        if case .success(let bytes?) = answer { onConsumed(bytes.count) }
        continuation.resume(with: answer)
      }
    } onCancel: {
      cancel()
    }
    return bytes
  }
}

extension BodyChannel.State {
  /// Small pieces share an array: a peer that sends a byte at a time must not cost an allocation for each.
  fileprivate mutating func append(_ bytes: [UInt8]) {
    if let last = chunks.indices.last, last >= head, chunks[last].count + bytes.count <= 4_096 {
      chunks[last] += bytes
    } else {
      chunks.append(bytes)
    }
  }

  /// Takes the reader's next answer; nil while there is nothing.
  fileprivate mutating func takeAnswer() -> BodyChannel.Answer? {
    if let bytes = popFirst() { return .success(bytes) }
    return switch outcome {
    case .open: nil
    case .finished: .success(nil)
    case .failed(let error): .failure(error)
    case .cancelled: .failure(CancellationError())
    }
  }

  fileprivate mutating func popFirst() -> [UInt8]? {
    guard head < chunks.count else { return nil }
    let bytes = chunks[head]
    chunks[head] = []
    head += 1
    if head == chunks.count {
      chunks.removeAll(keepingCapacity: true)
      head = 0
    } else if head >= 64, head > chunks.count / 2 {
      // A reader who never quite catches up would otherwise keep the places of all that it has read.
      chunks.removeFirst(head)
      head = 0
    }
    return bytes
  }
}
