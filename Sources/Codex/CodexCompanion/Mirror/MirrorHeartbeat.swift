import CodexWorkersClient
import EventLedger
import Logging

/// The heartbeat of the worker: nothing else says that its device lives. The answer gives the runtime's time.
struct MirrorHeartbeat: Sendable {
  let mirror: MirrorConfiguration
  let gate: MirrorGate
  let clock: MirrorClock
  let now: @Sendable () -> WallTime
  let logger: Logger

  /// Beats once. Throws ``WorkersError`` where the worker has to be registered again.
  func beat() async throws {
    let start = now()
    do {
      clock.note(try await mirror.client.store(MirrorEvent.heartbeat(at: start), in: mirror.worker), sentAt: start)
      await gate.set(isRunning: true)
    } catch let error as WorkersError {
      switch MirrorVerdict(error) {
      case .stopped: await gate.set(isRunning: false)
      case .startOver: throw error
      case .again, .drop: logger.info("a heartbeat was not taken: \(error)")
      }
    }
  }
}
