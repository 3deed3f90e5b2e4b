import ResolveKitCore
import StreamTransport
import Synchronization

/// Passes a tool's reports on, however fast they come: the first at once, then the newest one after each pause. Holds one
/// report at most.
final class ProgressRelay: Sendable {
  /// The least time between two reports: a person follows no more.
  static let pause: Duration = .milliseconds(100)

  private struct State {
    var newest: ResolveKitToolProgress?
    var isPassing = false
    var isFinished = false
  }

  private let state = Mutex(State())
  private let clock: TransportClock
  private let send: @Sendable (ResolveKitToolProgress) async -> Void

  init(clock: TransportClock, send: @escaping @Sendable (ResolveKitToolProgress) async -> Void) {
    self.clock = clock
    self.send = send
  }

  func report(_ progress: ResolveKitToolProgress) {
    let isFirst = state.withLock { state in
      guard !state.isFinished else { return false }
      state.newest = progress
      defer { state.isPassing = true }
      return !state.isPassing
    }
    guard isFirst else { return }
    Task { await pass() }
  }

  /// The tool has returned: nothing more is passed on.
  func finish() {
    state.withLock { state in
      state.isFinished = true
      state.newest = nil
    }
  }

  private func pass() async {
    while let progress = takeNewest() {
      await send(progress)
      try? await clock.sleep(Self.pause)
    }
  }

  private func takeNewest() -> ResolveKitToolProgress? {
    state.withLock { state in
      defer { state.newest = nil }
      if state.newest == nil { state.isPassing = false }
      return state.newest
    }
  }
}
