/// Wakes those who wait for a chat's next update.
@MainActor
final class UpdateBell {
  /// The times that it rang.
  private(set) var count = 0
  private var waiters: [CheckedContinuation<Void, Never>] = []

  func ring() {
    count += 1
    let woken = waiters
    waiters = []
    for waiter in woken { waiter.resume() }
  }

  /// Returns once it has rung more than so many times, which it does by itself when the time has come.
  func wait(after seen: Int, until due: ContinuousClock.Instant? = nil) async {
    guard count == seen else { return }
    let alarm = due.map { due in
      Task {
        do { try await Task.sleep(until: due, clock: .continuous) } catch { return }
        ring()
      }
    }
    await withCheckedContinuation { waiters.append($0) }
    alarm?.cancel()
  }
}
