import NIOCore
import NIOHTTPTypes
import StreamTransport

/// Closes a stream of HTTP/2 whose client takes nothing of a response for too long, or leaves most untaken where all leave too
/// much. Large pieces are divided, so that a slow client is seen to take them.
final class WriteWatch: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private let progress: WriteProgress

  init(timeout: Duration, untaken: SharedBytes) {
    progress = WriteProgress(timeout: timeout, untaken: untaken)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard case .body(let buffer) = unwrapOutboundIn(data) else {
      return progress.write(data, holding: 0, context, promise)
    }
    var rest = buffer
    while rest.readableBytes > WriteProgress.piece, let piece = rest.readSlice(length: WriteProgress.piece) {
      progress.write(wrapOutboundOut(.body(piece)), holding: 0, context, nil)
    }
    progress.write(wrapOutboundOut(.body(rest)), holding: buffer.readableBytes, context, promise)
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    progress.end()
  }
}
