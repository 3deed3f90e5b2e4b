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
    case .oldSockets: if isLive { paths.closeOldSockets() }
    case .writePass: writePass()
    case .suspension(let duration): machineWasSuspended(for: duration)
    case .networkChange: networkChanged()
    }
  }

  func socketIsReady(_ address: NetworkAddress, _ ready: Readiness) {
    if ready.contains(.writable) { sendPending() }
    guard isLive else { return }
    let failure = flow.receive(on: address, isEstablished: info != nil)
    takeCredit()
    if let failure { end(failure) }
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
      attachment?.setDeadline(flow.deadline)
    }
  }

  func flush() {
    guard isLive else { return }
    if let failure = flow.flush(isEstablished: info != nil) { end(failure) }
  }

  private func sendPending() {
    guard isLive, flow.isBlocked else { return }
    if let failure = flow.sendPending(isEstablished: info != nil) { return end(failure) }
    pass()
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
