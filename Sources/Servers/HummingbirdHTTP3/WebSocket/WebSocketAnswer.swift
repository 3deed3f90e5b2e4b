public import Hummingbird

/// A ``WebSocketHandler``'s decision on a request.
public enum WebSocketAnswer: Sendable {
  /// Serves a WebSocket. It is closed with 1000 when the closure returns, and with 1011 when it throws; its task is
  /// cancelled when the client closes or leaves, and when the server shuts down.
  public typealias Serving = @Sendable (WebSocketInbound, WebSocketOutbound) async throws -> Void

  /// Answers with a response instead and closes the connection.
  case refuse(Response)
  /// Answers with 101, with one of the subprotocols that the client offers if there is one that both speak, and serves.
  case accept(subprotocol: String? = nil, Serving)
}
