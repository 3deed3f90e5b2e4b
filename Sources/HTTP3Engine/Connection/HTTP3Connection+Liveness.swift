import CQUIC

/// How a client finds out that its path carries nothing any more.
struct Liveness {
  /// Whether something is awaited of the peer, so that silence is looked into soon.
  var isAttentive = false
  /// Since when nothing of what the peer has to acknowledge was acknowledged; nil while nothing is in flight.
  var unansweredSince: Timestamp?
  /// Whether that lasted too long.
  var isSuspect = false
  /// Bytes that were in flight at the last look.
  var bytesInFlight: UInt64 = 0
}

// A client that only listens has nothing in flight, so loss recovery tells it nothing: a PING does, and what stays
// unanswered for three probe time-outs makes the path suspect. Only acknowledgements count as answers, since anybody can
// send datagrams to this address.
extension HTTP3Connection {
  /// Shorter silence is a busy machine's as often as a broken path's.
  private static let shortestSuspicion = Duration.milliseconds(200)

  /// While `isAttentive`, a PING goes out after a second of silence, or three probe time-outs where that is longer, if
  /// PINGs are sent at all; otherwise after the configured time.
  package func setAttentive(_ isAttentive: Bool) {
    guard liveness.isAttentive != isAttentive else { return }
    liveness.isAttentive = isAttentive
    applyKeepAlive()
  }

  /// Whether the path was reported as suspect and nothing was acknowledged since.
  package var isPathSuspect: Bool { liveness.isSuspect }

  /// Asks the peer for a sign of life with the next datagram, whatever was sent or received before.
  package func probePath(at now: Timestamp) {
    guard !isServer, !isClosed, handshake != nil else { return }
    migration.isPingDue = true
    restartSuspicion(at: now)
  }

  /// The path is suspect from now on, whatever is in flight: the owner knows that it carries nothing.
  package func doubtPath() {
    guard !isServer, !isClosed, handshake != nil, !liveness.isSuspect else { return }
    liveness.isSuspect = true
    events.append(.pathSuspected)
  }

  /// Begins to count anew, as on another path.
  func restartSuspicion(at now: Timestamp) {
    guard liveness.unansweredSince != nil else { return }
    liveness.unansweredSince = now
  }

  /// When silence makes the path suspect; nil while nothing is unanswered, or it is suspect already.
  var suspicionDeadline: Timestamp? {
    guard !liveness.isSuspect, let since = liveness.unansweredSince else { return nil }
    return since + max(threeProbeTimeouts, Self.shortestSuspicion)
  }

  func suspectPath(at now: Timestamp) {
    guard let due = suspicionDeadline, due <= now else { return }
    doubtPath()
  }

  /// To be called after writing: what is in flight now has to be answered.
  func noteFlight(at now: Timestamp) {
    guard !isServer, handshake != nil else { return }
    liveness.bytesInFlight = bytesInFlight
    // A path-MTU probe that was found lost is not sent again: nothing may be left that could be answered.
    if liveness.bytesInFlight == 0 {
      liveness.unansweredSince = nil
    } else if liveness.unansweredSince == nil {
      liveness.unansweredSince = now
    }
  }

  /// To be called after reading: only an acknowledgement makes less in flight.
  func noteAnswer(at now: Timestamp) {
    // Who only receives a large body has little to be acknowledged.
    guard liveness.bytesInFlight > 0, !isServer, handshake != nil else { return }
    let rest = bytesInFlight
    defer { liveness.bytesInFlight = rest }
    guard rest < liveness.bytesInFlight else { return }
    liveness.unansweredSince = rest > 0 ? now : nil
    guard liveness.isSuspect else { return }
    liveness.isSuspect = false
    events.append(.pathAnswered)
  }

  /// Tells the library after how much silence a PING is due.
  func applyKeepAlive() {
    guard handshake != nil else { return }
    guard let keepAlive = configuration.keepAlive else { return ngtcp2_conn_set_keep_alive_timeout(quic, 0) }
    var interval = min(keepAlive, idleShare)
    if liveness.isAttentive { interval = min(interval, max(.seconds(1), threeProbeTimeouts)) }
    ngtcp2_conn_set_keep_alive_timeout(quic, UInt64(max(interval.nanosecondsClamped, 1)))
  }

  var threeProbeTimeouts: Duration {
    probeTimeout * 3
  }

  private var bytesInFlight: UInt64 {
    var info = ngtcp2_conn_info()
    if let quic { CQUIC_conn_get_conn_info(quic, &info) }
    return info.bytes_in_flight
  }

  /// Two fifths of the idle time that both sides agreed on (RFC 9000 § 10.1), so that one lost PING may be repeated.
  private var idleShare: Duration {
    let own = configuration.idleTimeout
    let peer = ngtcp2_conn_get_remote_transport_params(quic)?.pointee.max_idle_timeout ?? 0
    let agreed =
      switch (own > .zero, peer > 0) {
      case (true, true): min(own, .nanoseconds(Int64(clamping: peer)))
      case (true, false): own
      case (false, true): Duration.nanoseconds(Int64(clamping: peer))
      case (false, false): Duration.seconds(1 << 30)
      }
    // A peer that gives next to none would be asked all the time.
    return max(agreed * 2 / 5, .milliseconds(100))
  }
}
