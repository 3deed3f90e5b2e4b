/// The end of an attempt to hold a stream, as far as the time of the next one depends on it.
public enum StreamEnd: Hashable, Sendable {
  /// The server ended the body gracefully, `uptime` after its response.
  case clean(uptime: Duration)
  /// The server closed the connection gracefully with the response still open, `uptime` after the response: it
  /// restarts, or wants its clients elsewhere.
  case closedGracefully(uptime: Duration)
  /// The connection was lost or fell silent, `uptime` after the response.
  case lost(uptime: Duration)
  /// There was no stream: no connection, or a response that says no.
  ///
  /// `retryAfter` is the response's `Retry-After` (RFC 9110 § 10.2.3), nil if it had none.
  case refused(retryAfter: Duration?)

  /// Whether the stream lasted for `period`.
  func wasHealthy(for period: Duration) -> Bool {
    switch self {
    case .clean(let uptime), .closedGracefully(let uptime), .lost(let uptime): uptime >= period
    case .refused: false
    }
  }
}
