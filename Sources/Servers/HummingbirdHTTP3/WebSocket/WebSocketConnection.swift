import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import ServiceLifecycle

/// An open WebSocket.
struct WebSocketConnection: Sendable {
  let messages: WebSocketInbound.Messages
  let outbound: WebSocketOutbound
  /// Ends when no more messages follow.
  let ended: AsyncStream<Void>

  /// Answers an HTTP/1.1 request with 101 and puts the handlers of a WebSocket in the place of HTTP's. To be called on the
  /// event loop.
  static func takeOver(
    _ channel: any Channel, _ limits: WebSocketLimits, answer: HTTPResponsePart
  ) -> EventLoopFuture<WebSocketConnection> {
    do {
      let pipeline = channel.pipeline.syncOperations
      // A WebSocket has a limit of its own on what its client does not take.
      let joiner = try pipeline.handler(type: WriteJoiner.self)
      let encoder = try pipeline.handler(type: HTTPResponseEncoder.self)
      let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
      channel.writeAndFlush(answer, promise: nil)
      let (handlers, connection) = WebSocketChannelHandler.make(limits, on: channel.eventLoop)
      // The later handlers in the pipeline, up to Hummingbird's side of the connection, stay and see only its end.
      try pipeline.addHandlers(handlers, position: .after(decoder))
      return pipeline.removeHandler(joiner).and(pipeline.removeHandler(encoder)).and(pipeline.removeHandler(decoder))
        .map { _ in connection }
    } catch {
      return channel.eventLoop.makeFailedFuture(error)
    }
  }

  /// Serves until the closure returns, the WebSocket ends, or the server shuts down; throws what the closure threw while the
  /// WebSocket was open.
  func serve(_ serving: @escaping WebSocketAnswer.Serving) async throws {
    try await withGracefulShutdownHandler {
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await serving(WebSocketInbound(messages), outbound) }
        group.addTask { for await _ in ended {} }
        try await group.next()
        // Whichever of the two ended, the other has no more to do; what it throws for that reason is of no interest.
        group.cancelAll()
      }
    } onGracefulShutdown: {
      outbound.close(.goingAway, reason: "The server shuts down.")
    }
  }
}
