import NIOCore
import NIOEmbedded

/// Keeps what is written, as a socket whose buffer is full does.
final class HoldingHandler: ChannelOutboundHandler {
  typealias OutboundIn = ByteBuffer

  private var held: [(data: NIOAny, promise: EventLoopPromise<Void>?)] = []
  private var context: ChannelHandlerContext?
  private var isHolding = true

  /// Lets the peer's handler write what it holds, and all that follows.
  static func release(in peer: VirtualPeer) async throws {
    try await peer.channel.testingEventLoop.executeInContext {
      try peer.channel.pipeline.syncOperations.handler(type: HoldingHandler.self).release()
    }
    await peer.settle()
  }

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    self.context = nil
    for (_, promise) in held { promise?.fail(ChannelError.ioOnClosedChannel) }
    held = []
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard isHolding else { return context.write(data, promise: promise) }
    held.append((data, promise))
  }

  private func release() {
    isHolding = false
    for (data, promise) in held { context?.write(data, promise: promise) }
    held = []
    context?.flush()
  }
}
