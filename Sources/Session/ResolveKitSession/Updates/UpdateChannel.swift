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
    /// Updates since the start: sent, handed to the reader, and done with, because the reader asked for the next.
    var sent = 0
    var taken = 0
    var applied = 0
    /// Each waits until as many updates are done with.
    var followers: [(mark: Int, continuation: CheckedContinuation<Void, Never>)] = []
    var count: Int { updates.count - head }
  }

  private let state = Mutex(State())

  func send(_ update: ResolveKitRuntimeUpdate) {
    let reader = state.withLock { state -> CheckedContinuation<ResolveKitRuntimeUpdate?, Never>? in
      guard !state.isFinished else { return nil }
      state.sent += 1
      guard let reader = state.reader else {
        state.updates.append(update)
        return nil
      }
      state.reader = nil
      state.taken += 1
      return reader
    }
    reader?.resume(returning: update)
  }

  /// Nothing more comes; what was sent is still read.
  func finish() {
    let (reader, waiters) = state.withLock { state in
      defer {
        state.isFinished = true
        state.reader = nil
        state.writers = []
        state.followers = []
      }
      return (state.reader, state.writers + state.followers.map(\.continuation))
    }
    reader?.resume(returning: nil)
    for waiter in waiters { waiter.resume() }
  }

  func next() async -> ResolveKitRuntimeUpdate? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let (answer, waiters) = state.withLock {
          state -> (ResolveKitRuntimeUpdate??, [CheckedContinuation<Void, Never>]) in
          let followers = state.applyTaken()
          guard let update = state.popFirst() else {
            if state.isFinished || state.reader != nil { return (.some(nil), followers) }
            state.reader = continuation
            return (nil, followers)
          }
          guard state.count < Self.capacity else { return (update, followers) }
          defer { state.writers = [] }
          return (update, followers + state.writers)
        }
        for waiter in waiters { waiter.resume() }
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

  /// Returns once the reader is done with all that was sent before this call, or the channel is finished.
  func caughtUp() async {
    await withCheckedContinuation { continuation in
      let isDone = state.withLock { state in
        let isDone = state.isFinished || state.applied >= state.sent
        if !isDone { state.followers.append((state.sent, continuation)) }
        return isDone
      }
      if isDone { continuation.resume() }
    }
  }
}

extension UpdateChannel.State {
  /// The reader asks for more, so it is done with what it took. Returns who waited for that.
  fileprivate mutating func applyTaken() -> [CheckedContinuation<Void, Never>] {
    applied = taken
    guard let first = followers.first, first.mark <= applied else { return [] }
    let done = followers.prefix { $0.mark <= applied }.map(\.continuation)
    followers.removeFirst(done.count)
    return done
  }

  fileprivate mutating func popFirst() -> ResolveKitRuntimeUpdate? {
    guard head < updates.count else { return nil }
    let update = updates[head]
    head += 1
    taken += 1
    // Shifting once in a while costs less than shifting each time.
    if head == updates.count || head > 4096 {
      updates.removeFirst(head)
      head = 0
    }
    return update
  }
}
