import NIOCore
import NIOHTTPTypes

/// Closes a connection of HTTP/1.1, or a stream of HTTP/2, whose client takes nothing of a response for too long.
///
/// TCP alone does not: a client that lets nothing through but acknowledges is alive. Large pieces are divided, so that a
/// slow client is seen to take them.
final class WriteWatch: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private static let piece = 32 << 10

  private let timeout: TimeAmount
  /// Writes that are not complete.
  private var waiting = 0
  /// The time at which one was completed last, or they began to wait.
  private var progress = NIODeadline.now()
  private var alarm: Scheduled<Void>?

  init(timeout: Duration) {
    self.timeout = TimeAmount(timeout)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard case .body(var buffer) = unwrapOutboundIn(data) else { return pass(data, context, promise) }
    while buffer.readableBytes > Self.piece, let piece = buffer.readSlice(length: Self.piece) {
      pass(wrapOutboundOut(.body(piece)), context, nil)
    }
    pass(wrapOutboundOut(.body(buffer)), context, promise)
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    alarm?.cancel()
    alarm = nil
  }

  private func pass(_ data: NIOAny, _ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?) {
    let promise = promise ?? context.eventLoop.makePromise()
    if waiting == 0 { progress = .now() }
    waiting += 1
    if alarm == nil { setAlarm(context) }
    promise.futureResult.assumeIsolated().whenComplete { _ in
      self.waiting -= 1
      self.progress = .now()
    }
    context.write(data, promise: promise)
  }

  private func setAlarm(_ context: ChannelHandlerContext) {
    alarm = context.eventLoop.assumeIsolated().scheduleTask(deadline: progress + timeout) { [self] in
      alarm = nil
      guard waiting > 0 else { return }
      if progress + timeout <= .now() { context.close(promise: nil) } else { setAlarm(context) }
    }
  }
}
