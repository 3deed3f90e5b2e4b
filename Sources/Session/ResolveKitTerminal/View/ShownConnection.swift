import ResolveKitCore
import ResolveKitSession
import StreamTransport

/// The session's connection, as the updates report it and as a person has seen it.
@MainActor
final class ShownConnection {
  private(set) var latest = ResolveKitConnectionUpdate(state: .idle)
  private(set) var sessionID: String?
  /// Whether the server has refused this app at any time.
  private(set) var wasBlocked = false
  private var shown: TerminalStatus?
  private var hasEnded = false
  private var waiter: CheckedContinuation<Void, Never>?

  /// Whether the connection was given up, so that nothing can be sent before a new start.
  var isOver: Bool { latest.state == .failed || latest.state == .blocked }

  private var isSettled: Bool { latest.state.canSend || isOver || hasEnded }

  /// Takes an update that the renderer has shown.
  func take(_ new: ResolveKitConnectionUpdate) {
    latest = new
    if new.state != .active { shown = TerminalStatus(new) }
    if new.state == .blocked { wasBlocked = true }
    resume()
  }

  func enterSession(_ id: String) { sessionID = id }

  /// No update follows.
  func end() {
    hasEnded = true
    resume()
  }

  /// Returns once the connection is open, was given up, or will not change any more.
  func settled() async {
    guard !isSettled else { return }
    await withCheckedContinuation { waiter = $0 }
  }

  /// The status with what a snapshot adds; counts as seen.
  func status(_ snapshot: ConnectionSnapshot?) -> TerminalStatus {
    let status = TerminalStatus(latest, snapshot)
    shown = status
    return status
  }

  /// The status, if a person should see it; it then counts as seen.
  func news(_ snapshot: ConnectionSnapshot?) -> TerminalStatus? {
    TerminalStatus(latest, snapshot).isNews(after: shown) ? status(snapshot) : nil
  }

  private func resume() {
    guard isSettled else { return }
    waiter?.resume()
    waiter = nil
  }
}
