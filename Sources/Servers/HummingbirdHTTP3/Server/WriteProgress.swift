import NIOCore

/// Closes a channel whose client takes nothing of what is written to it for too long. Used on its event loop.
///
/// TCP alone does not: a client that lets nothing through but acknowledges is alive.
final class WriteProgress {
  /// The most bytes that are to be written in one piece, so that a slow client is seen to take them.
  static let piece = 32 << 10

  private let timeout: TimeAmount
  /// Writes that are not complete.
  private var waiting = 0
  /// The time at which one was completed last, or they began to wait.
  private var progress = NIODeadline.uptimeNanoseconds(0)
  private var alarm: Scheduled<Void>?

  init(timeout: Duration) {
    self.timeout = TimeAmount(timeout)
  }

  /// Writes a piece and watches whether it is taken.
  func write(_ data: NIOAny, _ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?) {
    let eventLoop = context.eventLoop
    let promise = promise ?? eventLoop.makePromise()
    if waiting == 0 { progress = eventLoop.now }
    waiting += 1
    if alarm == nil { setAlarm(context) }
    promise.futureResult.assumeIsolated().whenComplete { _ in
      self.waiting -= 1
      self.progress = eventLoop.now
    }
    context.write(data, promise: promise)
  }

  /// Watches no more.
  func end() {
    alarm?.cancel()
    alarm = nil
  }

  private func setAlarm(_ context: ChannelHandlerContext) {
    let eventLoop = context.eventLoop
    alarm = eventLoop.assumeIsolated().scheduleTask(deadline: progress + timeout) { [self] in
      alarm = nil
      guard waiting > 0 else { return }
      if progress + timeout <= eventLoop.now { context.close(promise: nil) } else { setAlarm(context) }
    }
  }
}
