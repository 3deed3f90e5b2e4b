/// The life of a connection from its first packet to its end (RFC 9000 § 10), and the reason for which it ends.
final class ConnectionLifetime {
  private let quic: QUICConnection
  private let mapping: StreamMapping
  private let events: EventQueue
  private let qlog: QlogTrace?
  private(set) var phase = ConnectionPhase.active
  /// Set inside a callback, turned into the connection's end once the library call has returned.
  private var pendingFailure: HTTP3Error?

  init(_ quic: QUICConnection, _ mapping: StreamMapping, _ events: EventQueue, qlog: QlogTrace?) {
    self.quic = quic
    self.mapping = mapping
    self.events = events
    self.qlog = qlog
  }

  /// Whether nothing of the owner's can be sent any more.
  var isClosed: Bool { phase.isClosed }

  // MARK: Failures

  /// Runs a callback's work; its failure ends the connection once the library's call has returned.
  func settle(_ work: () throws(HTTP3Error) -> Void) -> Bool {
    do throws(HTTP3Error) {
      try work()
      return true
    } catch {
      fail(with: error)
      return false
    }
  }

  /// Notes why the connection has to end; the first reason holds.
  func fail(with error: HTTP3Error) {
    if pendingFailure == nil { pendingFailure = error }
  }

  /// Ends the connection because a library call answered `code`.
  func didFail(_ code: Int32, at now: Timestamp) {
    let cause = pendingFailure
    pendingFailure = nil
    end(ConnectionEnd(quic.failure(code), cause: cause, peer: quic.peerClose), at: now)
  }

  // MARK: The end

  /// Ends the connection as was judged; does nothing when it has ended.
  func end(_ end: ConnectionEnd, at now: Timestamp) {
    guard !isClosed else { return }
    // For three probe time-outs packets may still come (RFC 9000 § 10.2).
    let linger = quic.probeTimeout * 3
    switch end {
    case .drain(let error): enter(.draining(until: now + linger), error)
    case .leave(let error, let isRetryDue): enter(.over(isRetryDue: isRetryDue), error)
    case .close(let error, let frame):
      // A PING is written a nanosecond ahead.
      let now = quic.advance(to: now)
      guard let (packet, path) = quic.write(frame, at: now) else { return enter(.over(), error) }
      qlog?.datagramSent(packet.count)
      enter(.closing(ClosingPeriod(packet: packet, path: path, end: now + linger)), error)
    }
  }

  /// Forgets a closed connection once no more packets of it can come.
  func handleTimeout(at now: Timestamp) {
    if let due = phase.deadline, due <= now { enter(.over()) }
  }

  /// Notes a packet that came while closing.
  func didReceiveStrayPacket() { phase.didReceive() }

  /// Takes the CONNECTION_CLOSE packet that is due.
  func takeClosePacket() -> (bytes: [UInt8], path: NetworkPath)? { phase.takePacket() }

  private func enter(_ next: ConnectionPhase, _ error: HTTP3Error) {
    qlog?.connectionClosed(error)
    mapping.raw?.close()
    enter(next)
    events.append(.closed(error))
  }

  private func enter(_ next: ConnectionPhase) {
    phase = next
    if let step = next.step { qlog?.enter(step) }
  }
}
