import Dispatch

/// Runs tool bodies on threads of their own, so that a tool that blocks its thread holds up neither the event stream
/// nor the timers of other tools: the default pool has one thread a core and never grows.
final class ToolExecutor: TaskExecutor {
  static let shared = ToolExecutor()

  private let queue = DispatchQueue(label: "resolvekit.tools", attributes: .concurrent)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
