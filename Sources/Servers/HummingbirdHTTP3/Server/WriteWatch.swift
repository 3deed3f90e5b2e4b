import NIOCore
import NIOHTTPTypes

/// Closes a stream of HTTP/2 whose client takes nothing of a response for too long. Large pieces are divided, so that a
/// slow client is seen to take them.
final class WriteWatch: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private let progress: WriteProgress

  init(timeout: Duration) {
    progress = WriteProgress(timeout: timeout)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard case .body(var buffer) = unwrapOutboundIn(data) else { return progress.write(data, context, promise) }
    while buffer.readableBytes > WriteProgress.piece, let piece = buffer.readSlice(length: WriteProgress.piece) {
      progress.write(wrapOutboundOut(.body(piece)), context, nil)
    }
    progress.write(wrapOutboundOut(.body(buffer)), context, promise)
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    progress.end()
  }
}
