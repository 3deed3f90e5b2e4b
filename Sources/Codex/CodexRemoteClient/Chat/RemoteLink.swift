public import StreamTransport

/// The state of a chat's event stream.
public enum RemoteLink: Hashable, Sendable {
  case idle
  case connecting(attempt: Int)
  case open(ConnectionInfo)
  /// It was lost, or ended; it comes back at its cursor.
  case waiting(reason: String, retryIn: Duration)
  /// It does not come back by itself.
  case closed(RemoteError.Code, reason: String)
}
