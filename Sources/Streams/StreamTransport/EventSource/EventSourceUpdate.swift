public import EventStream

/// An event source's report; reports arrive in order.
public enum EventSourceUpdate: Sendable {
  /// An attempt begins; attempts count from 1 over the whole sequence.
  case connecting(attempt: Int)
  /// The response is an event stream.
  case opened(ConnectionInfo)
  /// An event, and when its last byte arrived (`CLOCK_MONOTONIC`, nanoseconds).
  case event(ServerSentEvent, arrivedAt: UInt64)
  /// A comment line without its colon, such as a keep-alive; it moves no cursor.
  case comment(String)
  /// A block without data moved the cursor.
  case idCommitted(String)
  /// The stream or the attempt ended; the next attempt begins after `retryIn`, unless the sequence is left before.
  ///
  /// `isClean` says that the server ended the response gracefully, which is normal: it limits a stream's length.
  case disconnected(reason: EventSourceError, isClean: Bool, retryIn: Duration)
}
