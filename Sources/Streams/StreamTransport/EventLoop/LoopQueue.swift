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
    /// Whether the loop was woken since it last took the work: one wake-up is enough for all.
    var isWakePending = false
    var isStopping = false
  }

  /// A longer queue is rare, and its memory is given back.
  private static let workKept = 256

  private let state = Mutex(State())

  /// Whether the loop has to be woken for it.
  func append(_ work: Work) -> Bool {
    state.withLock { state in
      state.work.append(work)
      guard !state.isWakePending else { return false }
      state.isWakePending = true
      return true
    }
  }

  /// Hands all that waits to `body`, with `room` for what comes meanwhile; false if there was nothing.
  func take(_ room: inout [Work], _ body: (Work) -> Void) -> Bool {
    state.withLock { state in
      state.isWakePending = false
      swap(&state.work, &room)
    }
    guard !room.isEmpty else { return false }
    for work in room { body(work) }
    room.removeAll(keepingCapacity: room.count <= Self.workKept)
    return true
  }

  func stop() {
    state.withLock { $0.isStopping = true }
  }

  var status: (hasWork: Bool, isStopping: Bool) {
    state.withLock { (!$0.work.isEmpty, $0.isStopping) }
  }
}
