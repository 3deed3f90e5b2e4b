import Foundation

/// Runs tool bodies on threads of their own, so that a tool that blocks its thread holds up neither the event stream nor
/// the timers of other tools. The default pool has one thread a core, and Dispatch, which it sits on, adds one a second
/// at most when they are blocked.
///
/// There is a thread for each job that runs, at most ``maximumThreads``, and one that has been idle for ten seconds ends. How
/// many tools run is limited by the turn machine, which counts a tool until it has returned; how many tasks a tool starts
/// is not.
final class ToolExecutor: TaskExecutor {
  static let shared = ToolExecutor()

  static let maximumThreads = 64

  private static let patience: TimeInterval = 10

  private struct State {
    var jobs: [UnownedJob] = []
    var idle = 0
    /// Threads that were started and have not looked for a job yet.
    var starting = 0
    var threads = 0
  }

  private let condition = NSCondition()
  /// Touched under the condition's lock alone.
  nonisolated(unsafe) private var state = State()

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    condition.lock()
    state.jobs.append(job)
    // An idle thread that was woken for an earlier job counts as idle until it has taken it.
    let isShort = state.jobs.count > state.idle + state.starting && state.threads < Self.maximumThreads
    if isShort {
      state.starting += 1
      state.threads += 1
    } else {
      condition.signal()
    }
    condition.unlock()
    if isShort { Thread.detachNewThread { self.work() } }
  }

  private func work() {
    condition.lock()
    state.starting -= 1
    condition.unlock()
    while let job = next() { job.runSynchronously(on: asUnownedTaskExecutor()) }
  }

  /// Waits for a job; nil when none has come for too long.
  private func next() -> UnownedJob? {
    condition.lock()
    defer { condition.unlock() }
    let end = Date(timeIntervalSinceNow: Self.patience)
    while state.jobs.isEmpty {
      state.idle += 1
      let isInTime = condition.wait(until: end)
      state.idle -= 1
      guard isInTime || !state.jobs.isEmpty else {
        state.threads -= 1
        return nil
      }
    }
    return state.jobs.removeFirst()
  }
}
