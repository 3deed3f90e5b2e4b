public import HummingbirdCore

extension Request {
  /// Whether the request may be a replay, because it came as early data (0-RTT) over HTTP/3, or because a gateway in front
  /// of the server took it as early data and says so with `early-data: 1` (RFC 8470).
  ///
  /// A handler that must not answer such a request throws `HTTPError(.tooEarly)`; the client, or the gateway, sends it again
  /// after the handshake. The server itself does so with requests of unsafe methods that come as early data over HTTP/3.
  ///
  /// A client cannot hide early data: the server marks the request whatever `early-data` field it carries. A client that
  /// sends the field without early data is believed, as a gateway would be, and gains a 425 at most.
  public var isEarlyData: Bool { EarlyDataField.isIn(head) }
}
