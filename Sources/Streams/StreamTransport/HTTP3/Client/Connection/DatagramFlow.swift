import HTTP3Engine

/// The datagrams of a client's connection between its engine and its sockets: hands on what comes, sends what the engine
/// has, waits where a socket takes nothing, and judges the sockets' errors.
final class DatagramFlow {
  private let engine: HTTP3Connection
  private let sockets: ClientSockets
  private let loop: EventLoop
  private let remote: NetworkAddress
  private var errors = SocketErrors()
  private var attachment: LoopAttachment?

  /// - Parameter remote: the server's address, for the words of an error.
  init(_ engine: HTTP3Connection, _ sockets: ClientSockets, to remote: NetworkAddress, on loop: EventLoop) {
    self.engine = engine
    self.sockets = sockets
    self.remote = remote
    self.loop = loop
  }

  /// Waits by the connection's timers from now on.
  func attach(_ attachment: LoopAttachment) { self.attachment = attachment }

  // MARK: Receiving

  /// Reads a socket. Answers why the connection has to end; nil where it continues.
  ///
  /// - Parameter isEstablished: whether the handshake is complete.
  func receive(on address: NetworkAddress, isEstablished: Bool) -> TransportError? {
    let now = loop.now
    var hasReceived = false
    let outcome = sockets.receive(on: address) { bytes, path, ecn in
      hasReceived = true
      engine.receive(bytes, on: path, ecn: ecn, at: now)
    }
    if hasReceived { errors.received() }
    guard case .failed(let error) = outcome else { return nil }
    return judge(error, at: address, isEstablished: isEstablished)
  }

  // MARK: Sending

  /// Sends what the engine has to send. Answers why the connection has to end; nil where it continues.
  func flush(isEstablished: Bool) -> TransportError? {
    // The last packet leaves while there is a socket; what was held back before it is of no use any more.
    if engine.isClosed { sockets.dropPending() }
    guard !isHeldUp else { return nil }
    while engine.fill(&loop.batch, at: loop.now) {
      let address = loop.batch.path.local
      switch sockets.send(loop.batch) {
      case .done: break
      case .blocked(let retryAfter):
        wait(retryAfter, at: address)
        if isHeldUp { return nil }
      case .failed(let error):
        if let end = judge(error, at: address, isEstablished: isEstablished) { return end }
      }
      guard loop.batch.mayHaveMore else { return nil }
    }
    return nil
  }

  /// Sends what sockets have kept back. Answers why the connection has to end; nil where it continues.
  func sendPending(isEstablished: Bool) -> TransportError? {
    for address in sockets.blocked {
      switch sockets.sendPending(on: address) {
      case .done: break
      case .blocked(let retryAfter):
        wait(retryAfter, at: address)
        continue
      case .failed(let error):
        if let end = judge(error, at: address, isEstablished: isEstablished) { return end }
      }
      sockets.setInterest([.readable], on: address)
    }
    return nil
  }

  /// Whether a socket keeps something back.
  var isBlocked: Bool { sockets.isBlocked }

  /// The time of the engine's next call. While the socket is blocked, a pacing deadline would pass again and again.
  var deadline: Timestamp? {
    isHeldUp ? engine.deadline.map { max($0, loop.now + .milliseconds(1)) } : engine.deadline
  }

  /// Whether the path in use takes nothing now; a path that was left, or is only tried, holds up none of it.
  private var isHeldUp: Bool {
    sockets.isBlocked && engine.currentPath.map { sockets.isBlocked(at: $0.local) } ?? false
  }

  private func wait(_ retryAfter: Duration?, at address: NetworkAddress) {
    if let retryAfter {
      attachment?.setSendRetry(loop.now + retryAfter)
    } else {
      sockets.setInterest([.readable, .writable], on: address)
    }
  }

  private func judge(_ error: SystemError, at address: NetworkAddress, isEstablished: Bool) -> TransportError? {
    let verdict = errors.judge(
      error, sendingTo: remote, isEstablished: isEstablished, isOnCurrentPath: address == engine.currentPath?.local)
    switch verdict {
    case .ignore: return nil
    case .suspectNetworkChange:
      loop.networkMonitor.suspectChange()
      return nil
    case .end(let reason): return reason
    }
  }
}
