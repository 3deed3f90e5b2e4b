import ResolveKitCore
import ResolveKitSession
import StreamTransport
import Synchronization

/// The clocks of the client's machine: one that stands still while the machine is suspended, and the one on the wall.
final class ClientClock: Sendable {
  private struct State {
    var now: Moment = 0
    var suspended: UInt64 = 0
    var wallShift: Int64 = 0
  }

  private let state = Mutex(State())

  /// Milliseconds since 1970 at the beginning.
  private static let epoch: Int64 = SimulatedDatabase.epoch / 1_000

  /// The world's time, before anything happens at it.
  func set(_ now: Moment) { state.withLock { $0.now = now } }

  func suspended(for span: UInt64) { state.withLock { $0.suspended += span } }

  /// By a day at most.
  func setWall(forward seconds: Int) {
    state.withLock { $0.wallShift += Int64(min(max(seconds, -86_400), 86_400)) * 1_000 }
  }

  /// Milliseconds since 1970.
  var wall: UInt64 {
    state.withLock { UInt64(clamping: Self.epoch + Int64(clamping: $0.now / 1_000_000) + $0.wallShift) }
  }

  /// A process's own view: its session's time.
  func sessionClock() -> SessionClock {
    SessionClock(
      suspension: SuspensionWatch { self.state.withLock { $0.suspended } },
      // From 1 on, since a machine's clock never reads 0.
      monotonic: { self.state.withLock { $0.now - min($0.now, $0.suspended) + 1 } })
  }
}
