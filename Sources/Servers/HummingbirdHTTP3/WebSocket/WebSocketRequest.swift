public import HTTPTypes
public import NIOCore

/// Answers a request to become a WebSocket. Its task is cancelled when the client leaves.
///
/// Browsers let every page of every site open a WebSocket and send the user's cookies along, so a handler that trusts
/// cookies or its network checks the `origin` field (RFC 6455 § 10.2) and the authority.
public typealias WebSocketHandler = @Sendable (WebSocketRequest) async -> WebSocketAnswer

/// A client's request to become a WebSocket, which is sound as far as the protocol goes.
public struct WebSocketRequest: Sendable {
  /// The request with all of its fields; its authority is what the `host` field said.
  public let head: HTTPRequest
  /// The client's address and port; nil where the connection ended meanwhile.
  public let remoteAddress: SocketAddress?
  /// The subprotocols that the client offers, its favourite first.
  public let subprotocols: [String]
  /// The request's id in the log.
  public let id: String
}
