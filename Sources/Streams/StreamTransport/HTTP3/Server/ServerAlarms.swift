import HTTP3Engine

/// What wakes a server's driver on its loop, beside its sockets.
struct ServerAlarms {
  /// The endpoint's deadline, or that of a request that stands still.
  let deadline: LoopTimer
  /// The time at which a blocked socket is tried again.
  let retry: LoopTimer
  /// The limit of a drain.
  let drain: LoopTimer
  /// The write pass at the end of the loop's turn.
  let pass: LoopPass

  func cancel() {
    for timer in [deadline, retry, drain] { timer.cancel() }
  }
}
