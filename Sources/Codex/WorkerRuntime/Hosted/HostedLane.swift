/// Runs codex beside the runtime, for workers of the adapter `local`.
protocol HostedLane: Sendable {
  /// Throws ``WorkerError`` where this runtime hosts no codex.
  func checkOffered() throws(WorkerError)

  /// Has codex run for a worker until it is stopped; where another runtime does already, once that one does no more.
  func host(_ id: WorkerID)
}

/// The lane of a runtime that hosts no codex.
struct NoHostedLane: HostedLane {
  func checkOffered() throws(WorkerError) {
    throw WorkerError(.invalidRequest, "this runtime hosts no codex; it is started with --adapter local where it does")
  }

  func host(_ id: WorkerID) {}
}
