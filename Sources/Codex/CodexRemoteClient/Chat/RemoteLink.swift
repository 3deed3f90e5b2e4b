public import StreamTransport

/// The state of a chat's event stream.
public enum RemoteLink: Hashable, Sendable {
  case idle
  case connecting(attempt: Int)
  case open(ConnectionInfo)
  /// The stream was lost or ended; it reconnects at its cursor after `retryIn`.
  case waiting(reason: String, retryIn: Duration)
  /// The stream is closed for good.
  case closed(RemoteError.Code, reason: String)
}
