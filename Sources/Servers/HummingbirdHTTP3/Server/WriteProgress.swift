import NIOCore
import StreamTransport

/// Closes a channel whose client takes nothing of what is written to it for too long, or that holds most where all together
/// hold too much. Used on its event loop.
///
/// TCP alone does not: a client that lets nothing through but acknowledges is alive.
final class WriteProgress {
  /// The most bytes that are to be written in one piece, so that a slow client is seen to take them.
  static let piece = 32 << 10
  /// Bytes that change nothing about the sum: less is not worth a look at it.
  static let quantum = 4 << 10

  private let timeout: TimeAmount
  private let untaken: SharedBytes
  /// Writes that are not complete.
  private var waiting = 0
  /// The time at which one was completed last, or they began to wait.
  private var progress = NIODeadline.uptimeNanoseconds(0)
  private var alarm: Scheduled<Void>?
  /// Bytes of what waits.
  private var held = 0
  /// Those of them that count in the sum.
  private var counted = 0
  private var holder: SharedBytes.Holder?
  private var hasEnded = false

  init(timeout: Duration, untaken: SharedBytes) {
    self.timeout = TimeAmount(timeout)
    self.untaken = untaken
  }

  /// Writes a piece and watches whether it is taken.
  ///
  /// - Parameter bytes: what is held until then. Of pieces of one buffer the last one holds all of them: the buffer's memory
  ///   is free when none of them waits.
  func write(_ data: NIOAny, holding bytes: Int, _ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?) {
    let eventLoop = context.eventLoop
    let promise = promise ?? eventLoop.makePromise()
    if waiting == 0 { progress = eventLoop.now }
    waiting += 1
    if alarm == nil { setAlarm(context) }
    hold(bytes, for: context.channel)
    promise.futureResult.assumeIsolated().whenComplete { [channel = context.channel] _ in
      self.waiting -= 1
      self.progress = eventLoop.now
      self.hold(-bytes, for: channel)
    }
    context.write(data, promise: promise)
  }

  /// Watches no more.
  func end() {
    alarm?.cancel()
    alarm = nil
    hasEnded = true
    if let holder { untaken.leave(holder) }
    holder = nil
  }

  private func setAlarm(_ context: ChannelHandlerContext) {
    let eventLoop = context.eventLoop
    alarm = eventLoop.assumeIsolated().scheduleTask(deadline: progress + timeout) { [self] in
      alarm = nil
      guard waiting > 0 else { return }
      if progress + timeout <= eventLoop.now { context.close(promise: nil) } else { setAlarm(context) }
    }
  }

  private func hold(_ bytes: Int, for channel: any Channel) {
    held += bytes
    guard !hasEnded, abs(held - counted) >= Self.quantum, let holder = holder ?? untaken.join(channel) else { return }
    self.holder = holder
    counted = held
    untaken.set(held, of: holder)
  }
}
