import Synchronization

/// Hands updates to one reader in order.
///
/// It may hold more than ``capacity`` for a moment, because an event's updates are never torn apart; then
/// ``room()`` makes the event stream wait until the reader has caught up.
final class UpdateChannel: Sendable {
  static let capacity = 1024

  fileprivate struct State {
    var updates: [ResolveKitRuntimeUpdate] = []
    var head = 0
    var isFinished = false
    var reader: CheckedContinuation<ResolveKitRuntimeUpdate?, Never>?
    var writers: [CheckedContinuation<Void, Never>] = []
    var count: Int { updates.count - head }
  }

  private let state = Mutex(State())

  func send(_ update: ResolveKitRuntimeUpdate) {
    let reader = state.withLock { state -> CheckedContinuation<ResolveKitRuntimeUpdate?, Never>? in
      guard !state.isFinished else { return nil }
      guard let reader = state.reader else {
        state.updates.append(update)
        return nil
      }
      state.reader = nil
      return reader
    }
    reader?.resume(returning: update)
  }

  /// Nothing more comes; what was sent is still read.
  func finish() {
    let (reader, writers) = state.withLock { state in
      defer {
        state.isFinished = true
        state.reader = nil
        state.writers = []
      }
      return (state.reader, state.writers)
    }
    reader?.resume(returning: nil)
    for writer in writers { writer.resume() }
  }

  func next() async -> ResolveKitRuntimeUpdate? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let (answer, writers) = state.withLock {
          state -> (ResolveKitRuntimeUpdate??, [CheckedContinuation<Void, Never>]) in
          guard let update = state.popFirst() else {
            if state.isFinished || state.reader != nil { return (.some(nil), []) }
            state.reader = continuation
            return (nil, [])
          }
          guard state.count < Self.capacity else { return (update, []) }
          defer { state.writers = [] }
          return (update, state.writers)
        }
        for writer in writers { writer.resume() }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      finish()
    }
  }

  /// Returns once less than ``capacity`` updates wait, or the channel is finished.
  func room() async {
    await withCheckedContinuation { continuation in
      let hasRoom = state.withLock { state in
        let hasRoom = state.isFinished || state.count < Self.capacity
        if !hasRoom { state.writers.append(continuation) }
        return hasRoom
      }
      if hasRoom { continuation.resume() }
    }
  }
}

extension UpdateChannel.State {
  fileprivate mutating func popFirst() -> ResolveKitRuntimeUpdate? {
    guard head < updates.count else { return nil }
    let update = updates[head]
    head += 1
    // Shifting once in a while costs less than shifting each time.
    if head == updates.count || head > 4096 {
      updates.removeFirst(head)
      head = 0
    }
    return update
  }
}
