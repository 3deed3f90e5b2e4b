import NIOCore

/// Closes a connection of HTTP/2 that has had no request for too long, whatever its client does.
///
/// Hummingbird sends such a client GOAWAY and PING, and waits for the answer without a limit.
final class RequestWatch: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = NIOAny
  typealias InboundOut = NIOAny

  private let timeout: TimeAmount
  private var requests = 0
  private var context: ChannelHandlerContext?
  private var alarm: Scheduled<Void>?

  init(timeout: Duration) {
    self.timeout = TimeAmount(timeout)
  }

  /// The one of a stream's connection; on its event loop.
  static func ofConnection(of stream: any Channel) -> RequestWatch? {
    try? stream.parent?.pipeline.syncOperations.handler(type: RequestWatch.self)
  }

  func requestBegins() {
    requests += 1
    alarm?.cancel()
    alarm = nil
  }

  func requestEnds() {
    requests -= 1
    if requests == 0 { setAlarm() }
  }

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    setAlarm()
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    alarm?.cancel()
    alarm = nil
    self.context = nil
  }

  private func setAlarm() {
    guard let context else { return }
    alarm = context.eventLoop.assumeIsolated().scheduleTask(in: timeout) { context.close(promise: nil) }
  }
}
