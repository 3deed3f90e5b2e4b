/// Runs tasks on an event loop's thread.
///
/// It is not the loop itself: a task that came by the loop as an actor's executor counts as running on that actor, and
/// each call of a function that has no actor then goes through the queue; one that came by this one just continues.
final class LoopTaskExecutor: TaskExecutor {
  private let loop: EventLoop

  init(_ loop: EventLoop) {
    self.loop = loop
  }

  func enqueue(_ job: consuming ExecutorJob) {
    loop.enqueue(.taskJob(UnownedJob(job), self))
  }
}
