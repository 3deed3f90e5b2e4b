import CQUIC

extension HTTP3Connection {
  /// While `isAttentive`, a PING goes out after a second of silence, or three probe time-outs where that is longer, if
  /// PINGs are sent at all; otherwise after the configured time.
  package func setAttentive(_ isAttentive: Bool) {
    if liveness.setAttentive(isAttentive) { applyKeepAlive() }
  }

  /// Whether the path was reported as suspect and nothing was acknowledged since.
  package var isPathSuspect: Bool { liveness.isSuspect }

  /// Asks the peer for a sign of life with the next datagram, whatever was sent or received before.
  package func probePath(at now: Timestamp) {
    guard !isServer, !isClosed, handshake != nil else { return }
    liveness.requestPing()
    liveness.restart(at: now)
  }

  /// Suspects the path from now on, whatever is in flight: the owner knows that it carries nothing.
  package func doubtPath() {
    guard !isServer, !isClosed, handshake != nil else { return }
    report(liveness.suspect())
  }

  func report(_ change: Liveness.Change?) {
    switch change {
    case .suspected: events.append(.pathSuspected)
    case .answered: events.append(.pathAnswered)
    case nil: break
    }
  }

  /// Notes after writing what is in flight; a client's duty alone.
  func noteFlight(at now: Timestamp) {
    guard !isServer, handshake != nil else { return }
    liveness.didWrite(inFlight: bytesInFlight, at: now)
  }

  /// Notes after reading what is in flight.
  func noteAnswer(at now: Timestamp) {
    // A client that only receives a large body has little to be acknowledged.
    guard liveness.awaitsAnswer else { return }
    report(liveness.didRead(inFlight: bytesInFlight, at: now))
  }

  /// Sets the silence after which the library sends a PING.
  func applyKeepAlive() {
    guard handshake != nil else { return }
    let idle = ngtcp2_conn_get_remote_transport_params(quic)?.pointee.max_idle_timeout ?? 0
    let interval = liveness.keepAliveInterval(
      peerIdleTimeout: .nanoseconds(Int64(clamping: idle)), probeTimeout: probeTimeout)
    ngtcp2_conn_set_keep_alive_timeout(quic, interval.map { UInt64(max($0.nanosecondsClamped, 1)) } ?? 0)
  }

  private var bytesInFlight: UInt64 {
    var info = ngtcp2_conn_info()
    if let quic { CQUIC_conn_get_conn_info(quic, &info) }
    return info.bytes_in_flight
  }
}
