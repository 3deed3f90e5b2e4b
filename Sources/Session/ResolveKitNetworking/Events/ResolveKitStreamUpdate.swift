public import EventStream
public import StreamTransport

/// An update of a session's event stream.
public enum ResolveKitStreamUpdate: Sendable {
  /// A connection is tried; `attempt` counts from 1 since the stream was last open.
  case connecting(attempt: Int)
  /// The stream is open over this connection.
  case opened(ConnectionInfo)
  /// An event, and when its last byte arrived (`CLOCK_MONOTONIC`, nanoseconds).
  case event(ServerSentEvent, arrivedAt: UInt64)
  /// The stream ended or was lost, and is resumed after `retryIn`.
  case disconnected(reason: String, isClean: Bool, retryIn: Duration)
}
