import NIOCore
import StreamTransport

/// Closes a connection of HTTP/2 whose client reads nothing for too long, or leaves most untaken where all leave too much.
///
/// What its streams have handed over stays here when they are closed, and none of them that waits to write is seen to stand
/// still.
final class ConnectionWriteWatch: ChannelOutboundHandler, RemovableChannelHandler {
  typealias OutboundIn = IOData
  typealias OutboundOut = IOData

  private let progress: WriteProgress

  init(timeout: Duration, untaken: SharedBytes) {
    progress = WriteProgress(timeout: timeout, untaken: untaken)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    // A frame's header goes before its content, and nobody waits for it.
    guard let promise else { return context.write(data, promise: nil) }
    progress.write(data, holding: unwrapOutboundIn(data).readableBytes, context, promise)
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    progress.end()
  }
}
