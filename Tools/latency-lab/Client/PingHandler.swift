import NIOCore
import NIOHTTP2

/// Sends a PING on an HTTP/2 connection that is silent, and closes one on which nothing comes after it (RFC 9113 § 6.7).
///
/// It stands behind the `NIOHTTP2Handler`, so that it sees every frame, and counts each as a sign of life.
final class PingHandler: ChannelInboundHandler {
  typealias InboundIn = HTTP2Frame
  typealias InboundOut = HTTP2Frame
  typealias OutboundOut = HTTP2Frame

  /// The silence after which a PING is sent, and the silence behind the PING after which the connection is closed.
  static let interval = TimeAmount.seconds(1)

  private enum State {
    case idle
    case listening
    /// A PING was sent; nothing came since.
    case asking
  }

  private let onSilence: @Sendable () -> Void
  private var state = State.idle
  private var lastArrival = NIODeadline.uptimeNanoseconds(0)
  private var timer: Scheduled<Void>?

  /// - Parameter onSilence: called before a connection is closed for its silence.
  init(onSilence: @escaping @Sendable () -> Void) {
    self.onSilence = onSilence
  }

  func handlerAdded(context: ChannelHandlerContext) {
    guard context.channel.isActive else { return }
    listen(context)
  }

  func channelActive(context: ChannelHandlerContext) {
    listen(context)
    context.fireChannelActive()
  }

  func channelInactive(context: ChannelHandlerContext) {
    stop()
    context.fireChannelInactive()
  }

  func handlerRemoved(context: ChannelHandlerContext) { stop() }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    lastArrival = context.eventLoop.now
    if case .asking = state { listen(context) }
    context.fireChannelRead(data)
  }

  private func listen(_ context: ChannelHandlerContext) {
    timer?.cancel()
    lastArrival = context.eventLoop.now
    state = .listening
    wait(context, until: lastArrival + Self.interval)
  }

  private func stop() {
    timer?.cancel()
    timer = nil
    state = .idle
  }

  private func wait(_ context: ChannelHandlerContext, until deadline: NIODeadline) {
    timer = context.eventLoop.assumeIsolated().scheduleTask(deadline: deadline) { self.timeReached(context) }
  }

  /// Frames do not move the timer, which looks at the last of them and goes on from there.
  private func timeReached(_ context: ChannelHandlerContext) {
    switch state {
    case .idle: return
    case .listening:
      let due = lastArrival + Self.interval
      guard due <= context.eventLoop.now else { return wait(context, until: due) }
      state = .asking
      let ping = HTTP2Frame(streamID: .rootStream, payload: .ping(HTTP2PingData(withInteger: 0), ack: false))
      context.writeAndFlush(Self.wrapOutboundOut(ping), promise: nil)
      wait(context, until: context.eventLoop.now + Self.interval)
    case .asking:
      stop()
      onSilence()
      context.close(promise: nil)
    }
  }
}
