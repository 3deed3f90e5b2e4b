import NIOCore
import NIOTLS

/// Closes a connection whose TLS handshake takes too long, or is not complete when the server drains or is cancelled.
///
/// NIOSSL waits for a handshake without a limit, and the connection's task waits for its outcome in a future, which is
/// not cancellable. So one client that connects and sends nothing would keep a server from ever stopping.
final class HandshakeWatch: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = NIOAny
  typealias InboundOut = NIOAny

  /// The event that announces the cancellation of the task that serves the connection.
  struct Cancellation: Sendable {}

  private let timeout: TimeAmount
  private var alarm: Scheduled<Void>?

  init(timeout: TimeAmount) {
    self.timeout = timeout
  }

  func handlerAdded(context: ChannelHandlerContext) {
    alarm = context.eventLoop.assumeIsolated().scheduleTask(in: timeout) { context.close(promise: nil) }
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    alarm?.cancel()
    alarm = nil
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if event is ChannelShouldQuiesceEvent || event is Cancellation {
      context.close(promise: nil)
      return
    }
    // Before the handler leaves: without its place in the pipeline it cannot pass anything on.
    context.fireUserInboundEventTriggered(event)
    if case .handshakeCompleted? = event as? TLSUserEvent {
      context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
    }
  }
}
