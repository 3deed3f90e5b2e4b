import HTTP3Engine

/// A connection's registrations with its loop from its start to its end: timers, the write pass of each turn, and
/// notices of a suspended machine and of a changed network. On the loop's thread only.
struct LoopAttachment {
  /// The reason for the loop's call.
  enum Wake: Sendable {
    /// The engine's deadline has passed.
    case deadline
    /// A socket that was out of room may take more.
    case sendRetry
    /// Readers have waited long enough for more bytes.
    case readers
    /// The sockets of paths that were left have been kept long enough.
    case oldSockets
    /// The turn ends, and a write pass was asked for.
    case writePass
    case suspension(Duration)
    case networkChange
  }

  private let loop: EventLoop
  private let deadline: LoopTimer
  private let sendRetry: LoopTimer
  private let readers: LoopTimer
  private let oldSockets: LoopTimer
  private let writePass: LoopPass
  private let suspension: EventLoop.Registration
  private let network: UInt64

  init(_ loop: EventLoop, handler: @escaping @Sendable (Wake) -> Void) {
    self.loop = loop
    deadline = LoopTimer(loop) { handler(.deadline) }
    sendRetry = LoopTimer(loop) { handler(.sendRetry) }
    readers = LoopTimer(loop) { handler(.readers) }
    oldSockets = LoopTimer(loop) { handler(.oldSockets) }
    writePass = LoopPass(loop) { handler(.writePass) }
    suspension = loop.addSuspensionHandler { handler(.suspension($0)) }
    network = loop.networkMonitor.add { handler(.networkChange) }
  }

  func requestWritePass() { writePass.request() }
  func setDeadline(_ time: Timestamp?) { deadline.set(time) }
  func setSendRetry(_ time: Timestamp) { sendRetry.set(time) }
  func setReaders(_ time: Timestamp) { readers.set(time) }
  func setOldSockets(_ time: Timestamp) { oldSockets.set(time) }

  /// Nothing is called any more, save for a write pass that was asked for.
  func end() {
    for timer in [deadline, sendRetry, readers, oldSockets] { timer.cancel() }
    loop.removeSuspensionHandler(suspension)
    loop.networkMonitor.remove(network)
  }
}
