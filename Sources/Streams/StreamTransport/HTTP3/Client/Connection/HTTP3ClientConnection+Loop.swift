import HTTP3Engine

// The loop's calls: what came goes into the engine, what the engine has to send goes out.
extension HTTP3ClientConnection {
  func wake(_ wake: LoopAttachment.Wake) {
    switch wake {
    case .deadline:
      engine.handleTimeout(at: loop.now)
      pass()
    case .sendRetry: sendPending()
    case .readers: wakeReaders()
    case .oldSockets: closeOldSockets()
    case .writePass: writePass()
    case .suspension(let duration): machineWasSuspended(for: duration)
    case .networkChange: networkChanged()
    }
  }

  func socketIsReady(_ address: NetworkAddress, _ ready: Readiness) {
    if ready.contains(.writable) { sendPending() }
    guard isLive else { return }
    let now = loop.now
    var hasReceived = false
    let outcome = sockets.receive(on: address) { bytes, path, ecn in
      hasReceived = true
      engine.receive(bytes, on: path, ecn: ecn, at: now)
    }
    if hasReceived { socketErrors.received() }
    takeCredit()
    if case .failed(let error) = outcome { handleSocketError(error, at: address) }
    pass()
  }

  /// Delivers what has come to those who wait for it; a write pass follows at the end of the loop's turn.
  func pass() {
    guard isLive else { return }
    // At the end the last packet leaves first, as nothing is sent after the end.
    if !engine.isClosed { _ = deliverEvents() }
    attachment?.requestWritePass()
  }

  /// One write pass, and again as long as events lead to orders.
  func writePass() {
    guard isLive else { return }
    repeat { flush() } while deliverEvents()
    guard isLive else { return }
    writeQlog()
    if life.isLeaving, streams.isEmpty {
      close(TransportError(.connectionLost, "The server is going away."))
    } else {
      // While the socket is blocked, a pacing deadline would pass again and again.
      attachment?.setDeadline(isHeldUp ? engine.deadline.map { max($0, loop.now + .milliseconds(1)) } : engine.deadline)
    }
  }

  func flush() {
    guard isLive else { return }
    // The last packet leaves while there is a socket; what was held back before it is of no use any more.
    if engine.isClosed { sockets.dropPending() }
    guard !isHeldUp else { return }
    while engine.fill(&loop.batch, at: loop.now) {
      let address = loop.batch.path.local
      switch sockets.send(loop.batch) {
      case .done: break
      case .blocked(let retryAfter):
        waitToSend(retryAfter, at: address)
        if isHeldUp { return }
      case .failed(let error):
        handleSocketError(error, at: address)
        guard isLive else { return }
      }
      guard loop.batch.mayHaveMore else { return }
    }
  }

  /// Whether the path in use takes nothing now; a path that was left, or is only tried, holds up none of it.
  private var isHeldUp: Bool {
    sockets.isBlocked && engine.currentPath.map { sockets.isBlocked(at: $0.local) } ?? false
  }

  private func sendPending() {
    guard isLive, sockets.isBlocked else { return }
    for address in sockets.blocked {
      switch sockets.sendPending(on: address) {
      case .done: break
      case .blocked(let retryAfter):
        waitToSend(retryAfter, at: address)
        continue
      case .failed(let error): handleSocketError(error, at: address)
      }
      guard isLive else { return }
      sockets.setInterest([.readable], on: address)
    }
    pass()
  }

  private func waitToSend(_ retryAfter: Duration?, at address: NetworkAddress) {
    if let retryAfter {
      attachment?.setSendRetry(loop.now + retryAfter)
    } else {
      sockets.setInterest([.readable, .writable], on: address)
    }
  }

  private func handleSocketError(_ error: SystemError, at address: NetworkAddress) {
    let verdict = socketErrors.judge(
      error, sendingTo: life.remote, isEstablished: info != nil,
      isOnCurrentPath: address == engine.currentPath?.local)
    switch verdict {
    case .ignore: break
    case .suspectNetworkChange: loop.networkMonitor.suspectChange()
    case .end(let reason): end(reason)
    }
  }

  private func deliverEvents() -> Bool {
    var hasEvents = false
    while isLive, let event = engine.nextEvent() {
      hasEvents = true
      handle(event)
    }
    wakeReaders()
    return hasEvents
  }

  /// Readers of bodies that have new bytes continue, now or soon.
  private func wakeReaders() {
    if let due = bodies.wakeReaders(at: loop.now) { attachment?.setReaders(due) }
  }

  /// Lets the server send as much as readers have taken; before a write pass.
  func takeCredit() {
    bodies.takeCredit { engine.consume($1, on: $0) }
  }
}
