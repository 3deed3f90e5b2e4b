public import NIOCore

/// A whole message of a WebSocket, whatever frames it came in.
public enum WebSocketMessage: Hashable, Sendable {
  /// A text message (RFC 6455 § 5.6), whose bytes were valid UTF-8.
  case text(String)
  /// A binary message.
  case binary(ByteBuffer)
}
