import CodexRemoteClient

/// The time for which a program waits without a connection, or for a history, before it gives up.
struct ConnectionPatience {
  private let limit: Duration
  private var since: ContinuousClock.Instant?
  private var reason = ""

  init(_ limit: Duration) { self.limit = limit }

  /// The time at which it gives up; nil while all is there.
  mutating func deadline(_ state: RemoteChatState, at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
    if case .open = state.link, state.isCurrent {
      since = nil
      return nil
    }
    if case .waiting(let reason, _) = state.link { self.reason = reason }
    let since = since ?? now
    self.since = since
    return since + limit
  }

  /// The error of one who has given up.
  var failure: RemoteError {
    RemoteError(
      .timedOut,
      "The chat was not available for \(limit.components.seconds) s (--patience): "
        + (reason.isEmpty ? "the companion does not answer, or never ends its answer." : reason))
  }
}
