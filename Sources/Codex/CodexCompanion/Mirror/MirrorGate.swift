/// Whether the worker runs: posts wait while it is stopped.
actor MirrorGate {
  private(set) var isRunning = true
  private var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
  private var count = 0

  func set(isRunning: Bool) {
    self.isRunning = isRunning
    guard isRunning else { return }
    let released = waiting.values
    waiting = [:]
    for continuation in released { continuation.resume() }
  }

  /// Returns when the worker runs, as far as is known, or the task is cancelled.
  func pass() async throws {
    guard !isRunning else { return }
    count += 1
    let number = count
    await withTaskCancellationHandler {
      await withCheckedContinuation { waiting[number] = $0 }
    } onCancel: {
      Task { await self.leave(number) }
    }
    try Task.checkCancellation()
  }

  private func leave(_ number: Int) { waiting.removeValue(forKey: number)?.resume() }
}
