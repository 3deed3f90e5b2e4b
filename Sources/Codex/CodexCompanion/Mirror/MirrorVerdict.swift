import CodexWorkersClient

/// The reaction to a post that the runtime did not take.
enum MirrorVerdict: Equatable, Sendable {
  /// The same again, after a while.
  case again
  /// The worker is stopped: nothing is posted until it is started again.
  case stopped
  /// The event will never be accepted, or is not needed any more.
  case drop
  /// The worker is not there, or not ours: register again.
  case startOver

  init(_ error: WorkersError) {
    self =
      switch error.code {
      // The token's file may hold another one next time.
      case .signInNeeded, .throttled, .unavailable, .unreachable, .timedOut, .unreadable, .staleCursor: .again
      case .conflict:
        // The server's code is the same for a key that was used before, and for a receipt that came first.
        error.message.contains("worker is") ? .stopped : .drop
      case .invalid: .drop
      case .forbidden, .notFound: .startOver
      }
  }
}
