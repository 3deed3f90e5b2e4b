/// An update of a worker's watch, in order.
public enum WorkerUpdate: Equatable, Sendable {
  /// The next event of the log; each comes once, in the order of the log.
  case event(WorkerEvent)
  /// The server no longer has these events; the reader missed them.
  case lost(ClosedRange<Int64>)
  /// The log ends before the cursor: it was begun again, and is read from its present end.
  case rewound(from: Int64, to: Int64)
  /// The worker's state, looked at now and then.
  case snapshot(WorkerSnapshot)
  /// The connection to the stream changed.
  case link(WorkerLink)
}

/// The state of the connection to a worker's stream.
public enum WorkerLink: Equatable, Sendable {
  /// An attempt has begun.
  case connecting
  /// The stream is open, over this version of HTTP (`h3`, `h1`).
  case live(transport: String)
  /// The next attempt begins after this time; nil for a failure says that the end was routine.
  case waiting(Duration, because: WorkersError?)
  /// The watch waits until the user signs in.
  case signInNeeded(WorkersError)
}

/// A reader's answer to an update of a watch.
public enum WorkerUptake: Hashable, Sendable {
  /// The event was applied; the cursor moves on.
  case taken
  /// The event could not be applied; it is delivered again later. For other updates, the same as ``taken``.
  case again
  /// The reader stops.
  case enough
}
