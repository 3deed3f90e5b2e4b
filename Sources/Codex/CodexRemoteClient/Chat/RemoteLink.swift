public import StreamTransport

/// The state of a chat's event stream.
public enum RemoteLink: Hashable, Sendable {
  /// The chat is not followed.
  case idle
  /// An attempt has begun, the first or one of several in a row.
  case connecting(attempt: Int)
  /// The stream is open, over this connection.
  case open(ConnectionInfo)
  /// The stream was lost or ended; it reconnects at its cursor after `retryIn`.
  case waiting(reason: String, retryIn: Duration)
  /// The stream is closed permanently.
  case closed(RemoteError.Code, reason: String)
}
