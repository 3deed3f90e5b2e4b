import Dispatch
import Glibc
import Synchronization

/// The reason why a fetch stops, and its task.
///
/// SIGINT and SIGTERM are ignored and read by dispatch sources: nothing runs in a signal handler.
final class Stopping: Sendable {
  enum Reason: Sendable {
    case interrupted
    case timeout
    /// The reader of standard output has left.
    case readerLeft
  }

  private struct State {
    var reason: Reason?
    var stop: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  var reason: Reason? { state.withLock { $0.reason } }

  /// Calls `stop` when there is a reason, at once if there is one.
  func onStop(_ stop: @escaping @Sendable () -> Void) {
    let isDue = state.withLock { state in
      state.stop = stop
      return state.reason != nil
    }
    if isDue { stop() }
  }

  /// The first reason counts.
  func stop(_ reason: Reason) {
    let stop = state.withLock { state -> (@Sendable () -> Void)? in
      guard state.reason == nil else { return nil }
      state.reason = reason
      return state.stop
    }
    stop?()
  }

  /// The sources work as long as they are held.
  func listen() -> [any DispatchSourceSignal] {
    [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { [self] in
        // A second signal does not wait, such as for a reader of standard output that stands still.
        if reason == .interrupted { _exit(FetchStatus.interrupted.rawValue) }
        stop(.interrupted)
      }
      source.activate()
      return source
    }
  }
}
