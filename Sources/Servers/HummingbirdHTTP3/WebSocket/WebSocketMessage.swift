public import NIOCore

/// A whole message of a WebSocket, whatever frames it came in.
public enum WebSocketMessage: Hashable, Sendable {
  case text(String)
  case binary(ByteBuffer)
}
