/// Watches whether the path carries packets, reports what it finds as events, and asks the peer for signs of life.
///
/// ``Liveness`` has the rules; this applies them to one QUIC connection.
final class PathWatch {
  private let quic: QUICConnection
  private let events: EventQueue
  /// Asked for each packet. A value that calls nothing which comes back to it: no check for overlapping access, as at
  /// ``StreamState/watch``.
  @exclusivity(unchecked) private var liveness: Liveness
  /// Whether the handshake is complete: the library sends no keep-alive before.
  private var isHandshakeComplete = false

  init(_ quic: QUICConnection, _ events: EventQueue, _ configuration: ConnectionConfiguration, isServer: Bool) {
    self.quic = quic
    self.events = events
    liveness = Liveness(configuration, isServer: isServer, at: quic.now)
  }

  func handshakeDidComplete() {
    liveness.handshakeDidComplete()
    isHandshakeComplete = true
    applyKeepAlive()
  }

  // MARK: Packets

  /// A datagram was read.
  func didReceive(at now: Timestamp) {
    liveness.didReceive(at: now)
    // A client that only receives a large body has little to be acknowledged.
    if liveness.awaitsAnswer { report(liveness.didRead(inFlight: quic.flight.byteCount, at: now)) }
  }

  func willWrite() {
    // What three probe time-outs are changes all the time.
    if liveness.isResponseExpected { applyKeepAlive() }
  }

  /// All that may leave has been written.
  func didWrite(at now: Timestamp) {
    if liveness.isWatching { liveness.didWrite(inFlight: quic.flight.byteCount, at: now) }
  }

  // MARK: Silence

  /// The time at which silence makes the path suspect, or ends the connection.
  var deadline: Timestamp? {
    let suspicion = liveness.suspicionDue(probeTimeout: quic.probeTimeout)
    guard let abandonment = liveness.abandonmentDue else { return suspicion }
    return min(abandonment, suspicion ?? abandonment)
  }

  func suspectIfSilent(at now: Timestamp) {
    report(liveness.suspectIfSilent(at: now, probeTimeout: quic.probeTimeout))
  }

  /// Whether nothing has come for so long that the connection is given up.
  func isAbandoned(at now: Timestamp) -> Bool { liveness.abandonmentDue.map { $0 <= now } ?? false }

  /// Whether the path was reported as suspect and nothing was acknowledged since.
  var isSuspect: Bool { liveness.isSuspect }

  /// Suspects the path from now on, whatever is in flight.
  func doubt() { report(liveness.doubt()) }

  /// Counts the silence again, as on another path.
  func restart(at now: Timestamp) { liveness.restart(at: now) }

  private func report(_ change: Liveness.Change?) {
    if let change { events.append(change.event) }
  }

  // MARK: Signs of life

  /// Asks for one with the next datagram, whatever was sent or received before.
  func probe(at now: Timestamp) { liveness.probe(at: now) }

  /// Whether a PING is to go out, whatever was sent or received before.
  var isPingDue: Bool { liveness.isPingDue }

  /// Sets whether a PING is to go out on the current path.
  func requestPing(_ isDue: Bool) { liveness.requestPing(isDue) }

  /// Runs `write` so that it writes the PING that is due, if one is: the library's own call for one is its keep-alive,
  /// which is made to be due.
  func writingPing(_ write: () -> Void) {
    guard liveness.takePing() else { return }
    quic.keepAlive(after: .nanoseconds(1))
    write()
    applyKeepAlive()
  }

  /// Sets whether something is awaited of the peer, so that PINGs go out sooner.
  func setResponseExpected(_ isResponseExpected: Bool) {
    if liveness.setResponseExpected(isResponseExpected) { applyKeepAlive() }
  }

  /// Sets the silence after which the library sends a PING.
  private func applyKeepAlive() {
    guard isHandshakeComplete else { return }
    quic.keepAlive(
      after: liveness.keepAliveInterval(
        peerIdleTimeout: quic.peerParameters?.idleTimeout ?? .zero, probeTimeout: quic.probeTimeout))
  }
}
