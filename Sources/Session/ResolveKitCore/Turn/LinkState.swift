/// The state of the connection to the session.
enum LinkState: Equatable, Sendable {
  case idle
  case registering
  case creatingSession(attempt: Int)
  /// The session's creation failed for now; the shell waits.
  case awaitingSessionRetry(attempt: Int)
  /// An adopted session: its messages are shown before its events.
  case loadingHistory
  /// The stream was asked for and has not answered yet.
  case opening
  case open
  /// A clean end, resumed at once: routine, not shown as a loss.
  case resuming
  case broken(reason: String?)
  case failed
  case blocked

  /// Whether requests on the session may be sent.
  var carriesRequests: Bool {
    switch self {
    case .open, .resuming, .broken, .opening: true
    case .idle, .registering, .creatingSession, .awaitingSessionRetry, .loadingHistory, .failed, .blocked: false
    }
  }

  /// Whether nothing will happen without a new start.
  var isOver: Bool {
    switch self {
    case .idle, .failed, .blocked: true
    case .registering, .creatingSession, .awaitingSessionRetry, .loadingHistory, .opening, .open, .resuming,
      .broken:
      false
    }
  }
}
