import NIOCore
import StreamTransport

/// Joins what a connection of HTTP/1.1 writes between two flushes, and closes it when its client takes nothing for too long, or
/// leaves most untaken where all leave too much.
///
/// The encoder writes a chunk in three pieces. Joined they are one record of TLS in the place of three, each of which costs
/// both sides, and one promise in the place of five. Large pieces are passed on without a copy, and divided, so that a slow
/// client is seen to take them.
final class WriteJoiner: ChannelOutboundHandler, RemovableChannelHandler {
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  /// The content of a record of TLS (RFC 8446 § 5.1).
  private static let joined = 16 << 10

  private let progress: WriteProgress
  private var pending = ByteBuffer()
  /// For the writes that are pending, those of them that have one.
  private var promises: [EventLoopPromise<Void>] = []

  init(timeout: Duration, untaken: SharedBytes) {
    progress = WriteProgress(timeout: timeout, untaken: untaken)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    var buffer = unwrapOutboundIn(data)
    if pending.readableBytes + buffer.readableBytes > Self.joined { pass(context) }
    guard buffer.readableBytes <= Self.joined else { return pass(buffer, context, promise) }
    pending.writeBuffer(&buffer)
    if let promise { promises.append(promise) }
  }

  func flush(context: ChannelHandlerContext) {
    pass(context)
    context.flush()
  }

  func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
    pass(context)
    context.close(mode: mode, promise: promise)
  }

  func removeHandler(context: ChannelHandlerContext, removalToken: ChannelHandlerContext.RemovalToken) {
    pass(context)
    context.leavePipeline(removalToken: removalToken)
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    progress.end()
    // The channel is closed, or nothing is pending.
    for promise in promises { promise.fail(ChannelError.ioOnClosedChannel) }
    promises = []
  }

  /// Passes on what is pending.
  private func pass(_ context: ChannelHandlerContext) {
    guard pending.readableBytes > 0 || !promises.isEmpty else { return }
    let (buffer, waiting) = (pending, promises)
    (pending, promises) = (ByteBuffer(), [])
    if let first = waiting.first {
      for promise in waiting.dropFirst() { first.futureResult.cascade(to: promise) }
    }
    progress.write(wrapOutboundOut(buffer), holding: buffer.readableBytes, context, waiting.first)
  }

  private func pass(_ large: ByteBuffer, _ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?) {
    var rest = large
    while rest.readableBytes > WriteProgress.piece, let piece = rest.readSlice(length: WriteProgress.piece) {
      progress.write(wrapOutboundOut(piece), holding: 0, context, nil)
    }
    progress.write(wrapOutboundOut(rest), holding: large.readableBytes, context, promise)
  }
}
