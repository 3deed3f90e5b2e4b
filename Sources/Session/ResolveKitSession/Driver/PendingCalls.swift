/// The tasks of calls whose outcome comes back as an event.
struct PendingCalls {
  private var tasks: [Int: Task<Void, Never>] = [:]
  private var lastID = 0

  /// Keeps the task that `make` starts until ``end(_:)`` is called with the id that `make` is given.
  mutating func start(_ make: (_ id: Int) -> Task<Void, Never>) {
    lastID += 1
    tasks[lastID] = make(lastID)
  }

  mutating func end(_ id: Int) { tasks[id] = nil }

  mutating func cancelAll() {
    for task in tasks.values { task.cancel() }
    tasks = [:]
  }
}
