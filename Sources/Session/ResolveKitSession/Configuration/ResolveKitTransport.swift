public import StreamTransport

/// The transport of a runtime to its backend.
public enum ResolveKitTransport: Sendable {
  /// HTTP/3, and HTTP/1.1 beside it where UDP does not pass.
  case automatic
  /// HTTP/3 alone; there is no connection where UDP does not pass.
  case http3
  /// HTTP/1.1 alone.
  case http1
  /// A transport of the app's own, such as one that tests script.
  case custom(any HTTPTransport)
}
