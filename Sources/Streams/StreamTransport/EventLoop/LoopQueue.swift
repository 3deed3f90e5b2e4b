import Synchronization

/// Work for one event loop, given by any thread and taken by the loop's.
final class LoopQueue: Sendable {
  enum Work: Sendable {
    case actorJob(UnownedJob)
    case taskJob(UnownedJob, LoopTaskExecutor)
    case body(@Sendable () -> Void)
  }

  private struct State {
    var work: [Work] = []
    /// Whether the loop waits, or is about to, and nobody has woken it since: one wake-up is enough for all.
    var isAsleep = false
    var isStopping = false
  }

  /// A longer queue is rare, and its memory is given back.
  private static let workKept = 256

  private let state = Mutex(State())

  /// Whether the loop has to be woken for it; while it is awake it looks before it waits.
  func append(_ work: Work) -> Bool {
    state.withLock { state in
      state.work.append(work)
      defer { state.isAsleep = false }
      return state.isAsleep
    }
  }

  /// Hands all that waits to `body`, with `room` for what comes meanwhile; false if there was nothing.
  func take(_ room: inout [Work], _ body: (Work) -> Void) -> Bool {
    state.withLock { swap(&$0.work, &room) }
    guard !room.isEmpty else { return false }
    for work in room { body(work) }
    room.removeAll(keepingCapacity: room.count <= Self.workKept)
    return true
  }

  func stop() {
    state.withLock { $0.isStopping = true }
  }

  /// Whether there is work, or the end. If there is neither, and the loop is not `isBusy` otherwise, it may wait: what comes
  /// from now on wakes it, until ``awake()``.
  func rest(isBusy: Bool) -> (hasWork: Bool, isStopping: Bool) {
    state.withLock { state in
      let hasWork = !state.work.isEmpty
      state.isAsleep = !isBusy && !hasWork && !state.isStopping
      return (hasWork, state.isStopping)
    }
  }

  /// The loop waits no more.
  func awake() {
    state.withLock { $0.isAsleep = false }
  }
}
