import ResolveKitCore

/// The tasks that wait for the turn machine's deadlines; each deadline has one.
struct DeadlineTimers {
  private var tasks: [TurnDeadline: Task<Void, Never>] = [:]

  /// Gives the deadline another timer, which calls ``end(of:)`` when its time is over; the one before is cancelled.
  mutating func set(_ deadline: TurnDeadline, _ timer: Task<Void, Never>) {
    cancel(deadline)
    tasks[deadline] = timer
  }

  /// Called from a timer's task: returns whether its deadline has passed; false where the timer was cancelled on the way.
  mutating func end(of deadline: TurnDeadline) -> Bool {
    guard !Task.isCancelled else { return false }
    tasks[deadline] = nil
    return true
  }

  mutating func cancel(_ deadline: TurnDeadline) {
    tasks.removeValue(forKey: deadline)?.cancel()
  }

  /// Cancels every task. Returns them: they may yet be on their way out.
  mutating func cancelAll() -> [Task<Void, Never>] {
    let cancelled = Array(tasks.values)
    for task in cancelled { task.cancel() }
    tasks = [:]
    return cancelled
  }
}
