import CQUIC

extension HTTP3Connection {
  /// Takes one UDP datagram that came over `path` with the given ECN mark.
  package func receive(
    _ datagram: UnsafeRawBufferPointer, on path: NetworkPath, ecn: ECNCodepoint, at now: Timestamp
  ) {
    let now = clamp(now)
    traffic.didReceive(byteCount: datagram.count)
    qlog?.datagramReceived(datagram.count)
    switch phase {
    case .active: break
    case .closing: return answerStrayPacket()
    case .draining, .over: return
    }
    // Shorter than any protected packet (RFC 9001 § 5.4.2).
    guard datagram.count >= 21 else { return }
    guard !traffic.isExhausted else {
      return close(.noError, reason: "The connection has carried as many packets as it may.", at: now)
    }
    handshakeExpiry = nil
    var info = ngtcp2_pkt_info(ecn: configuration.usesECN ? ecn.rawValue : 0)
    let host = host(of: path)
    if isServer { clientAddresses.didReceive(datagram.count, from: path.remote) }
    let code = guardingPackets {
      observing {
        CQUIC_conn_read_pkt(
          quic, receivePath.pointer(to: path, host: host), &info,
          datagram.baseAddress?.assumingMemoryBound(to: UInt8.self), datagram.count, now.nanoseconds)
      }
    }
    if code != 0 { return didFail(code, at: now) }
    liveness.didReceive(at: now)
    noteAnswer(at: now)
    startQueuedMigration(at: now)
  }

  /// Does what was due at ``deadline``; harmless when called early.
  package func handleTimeout(at now: Timestamp) {
    let now = clamp(now)
    switch phase {
    case .active:
      mapping.http3?.finishGoingAway(at: now)
      report(liveness.suspectIfSilent(at: now, probeTimeout: probeTimeout))
      if let due = liveness.abandonmentDue, due <= now { return leave(with: .silence, for: .over()) }
      guard libraryExpiry <= now.nanoseconds else { return }
      handshakeExpiry = nil
      let code = observing { ngtcp2_conn_handle_expiry(quic, now.nanoseconds) }
      if code != 0 { didFail(code, at: now) }
    case .closing, .draining:
      if let due = phase.deadline, due <= now { enter(.over()) }
    case .over: break
    }
  }

  /// Ends the connection with CONNECTION_CLOSE (RFC 9114 § 5.3).
  package func close(_ code: ApplicationErrorCode, reason: String, at now: Timestamp) {
    let error = HTTP3Error(.application(code), reason.isEmpty ? "The connection was closed (\(code))." : reason)
    end(with: error, at: clamp(now)) { ccerr, bytes, count in
      // HTTP/3's code for no error is one of its own (RFC 9114 § 8.1).
      let wireCode = self.configuration.mapping == .http09 && code == .noError ? 0 : code.rawValue
      ngtcp2_ccerr_set_application_error(ccerr, wireCode, bytes, count)
    }
  }

  /// Ends the connection with an error of QUIC's own (RFC 9000 § 20.1).
  package func close(transportError code: QUICErrorCode, reason: String, at now: Timestamp) {
    end(with: HTTP3Error(.transport(code), reason), at: clamp(now)) { ccerr, bytes, count in
      ngtcp2_ccerr_set_transport_error(ccerr, code.rawValue, bytes, count)
    }
  }

  /// Ends the connection because a library call answered `code`.
  func didFail(_ code: Int32, at now: Timestamp) {
    let cause = takeFailure()
    switch code {
    case NGTCP2_ERR_DRAINING:
      leave(with: cause ?? peerError(), for: .draining(until: now + lingerTime))
    case NGTCP2_ERR_CLOSING, NGTCP2_ERR_DROP_CONN, NGTCP2_ERR_RETRY:
      leave(
        with: HTTP3Error(.connectionClosed, "The connection was dropped."),
        for: .over(isRetryDue: code == NGTCP2_ERR_RETRY))
    case NGTCP2_ERR_IDLE_CLOSE: leave(with: .silence, for: .over())
    case NGTCP2_ERR_HANDSHAKE_TIMEOUT:
      leave(
        with: HTTP3Error(.handshakeTimeout, "No QUIC connection within the time allowed; is UDP blocked on the way?"),
        for: .over())
    case NGTCP2_ERR_RECV_VERSION_NEGOTIATION:
      leave(
        with: HTTP3Error(
          .versionNegotiationFailed, side: .remote,
          "The server does not speak the version of QUIC that the connection began with."),
        for: .over())
    case NGTCP2_ERR_CRYPTO:
      let alert = if case .tlsAlert(let own) = cause?.code { own } else { ngtcp2_conn_get_tls_alert(quic) }
      let error = cause ?? HTTP3Error(.tlsAlert(alert), "TLS failed: \(GnuTLS.alertName(alert)).")
      end(with: error, at: now) { ccerr, _, _ in ngtcp2_ccerr_set_tls_alert(ccerr, alert, nil, 0) }
    case NGTCP2_ERR_CALLBACK_FAILURE where cause != nil:
      let error = cause ?? peerError()
      end(with: error, at: now) { ccerr, _, _ in
        switch error.code {
        case .transport(let code): ngtcp2_ccerr_set_transport_error(ccerr, code.rawValue, nil, 0)
        case .tlsAlert(let alert): ngtcp2_ccerr_set_tls_alert(ccerr, alert, nil, 0)
        case .application(let code): ngtcp2_ccerr_set_application_error(ccerr, code.rawValue, nil, 0)
        default:
          ngtcp2_ccerr_set_application_error(ccerr, ApplicationErrorCode.internalError.rawValue, nil, 0)
        }
      }
    default:
      let wireCode = QUICErrorCode(rawValue: ngtcp2_err_infer_quic_transport_error_code(code))
      let error = HTTP3Error(
        .transport(wireCode), "The QUIC connection failed (\(wireCode)): \(Self.message(code)).")
      end(with: error, at: now) { ccerr, _, _ in ngtcp2_ccerr_set_liberr(ccerr, code, nil, 0) }
    }
  }

  /// Ends a connection that will never send data again; called when there is nothing to send.
  func leaveIfStalled(at now: Timestamp) {
    var info = ngtcp2_conn_info()
    CQUIC_conn_get_conn_info(quic, &info)
    // On a copy: the deadline is a look at the whole connection, which must not meet a part that is being changed.
    var stall = sendStall
    let isStalled = stall.isStalled(inFlight: info.bytes_in_flight, window: info.cwnd, deadline: deadline, at: now)
    sendStall = stall
    if info.bytes_in_flight == 0 { packetGuard.nothingIsInFlight() }
    guard isStalled else { return }
    let error = HTTP3Error(
      .transport(.noViablePath), "The path takes no data any more since the client's address changed; connect again.")
    end(with: error, at: now) { ccerr, _, _ in
      ngtcp2_ccerr_set_transport_error(ccerr, QUICErrorCode.noViablePath.rawValue, nil, 0)
    }
  }

  // MARK: Parts

  /// Three probe time-outs, for which a closed connection's packets may still come (RFC 9000 § 10.2).
  private var lingerTime: Duration {
    probeTimeout * 3
  }

  /// The error in the peer's CONNECTION_CLOSE.
  private func peerError() -> HTTP3Error {
    guard let ccerr = ngtcp2_conn_get_ccerr(quic)?.pointee else {
      return HTTP3Error(.connectionClosed, side: .remote, "The peer closed the connection.")
    }
    let reason = String(decoding: UnsafeBufferPointer(start: ccerr.reason, count: ccerr.reasonlen), as: UTF8.self)
    let suffix = reason.isEmpty ? "." : ": \(reason)"
    if ccerr.type == NGTCP2_CCERR_TYPE_APPLICATION {
      let code = ApplicationErrorCode(rawValue: ccerr.error_code)
      return HTTP3Error(.application(code), side: .remote, "The peer closed the connection (\(code))\(suffix)")
    }
    // CRYPTO_ERROR carries a TLS alert in its low byte (RFC 9001 § 4.8).
    if (0x100...0x1ff).contains(ccerr.error_code) {
      let alert = UInt8(truncatingIfNeeded: ccerr.error_code)
      return HTTP3Error(
        .tlsAlert(alert), side: .remote, "The peer refused the TLS handshake: \(GnuTLS.alertName(alert))\(suffix)")
    }
    let code = QUICErrorCode(rawValue: ccerr.error_code)
    return HTTP3Error(.transport(code), side: .remote, "The peer closed the connection (\(code))\(suffix)")
  }

  /// Sends CONNECTION_CLOSE and enters the closing period.
  private func end(
    with error: HTTP3Error, at now: Timestamp,
    _ describe: (UnsafeMutablePointer<ngtcp2_ccerr>, UnsafePointer<UInt8>?, Int) -> Void
  ) {
    guard !isClosed else { return }
    // A PING is written a nanosecond ahead, and the library asserts that time does not run backwards.
    let now = clamp(now)
    let reason = Array(error.message.utf8.prefix(512))
    var storage = ngtcp2_path_storage()
    var info = ngtcp2_pkt_info()
    var packet = [UInt8](repeating: 0, count: 1_452)
    // The storage points into itself, so it is used where it is.
    let (count, path) = withUnsafeMutablePointer(to: &storage) { storage -> (ngtcp2_ssize, NetworkPath?) in
      ngtcp2_path_storage_zero(storage)
      let count = reason.withUnsafeBufferPointer { reason in
        var ccerr = ngtcp2_ccerr()
        ngtcp2_ccerr_default(&ccerr)
        describe(&ccerr, reason.baseAddress, reason.count)
        return observing {
          CQUIC_conn_write_connection_close(
            quic, &storage.pointee.path, &info, &packet, packet.count, &ccerr, now.nanoseconds)
        }
      }
      return (count, count > 0 ? NetworkPath(storage.pointee.path) : nil)
    }
    guard let path else {
      leave(with: error, for: .over())
      return
    }
    packet.removeLast(packet.count - count)
    qlog?.datagramSent(count)
    leave(with: error, for: .closing(ClosingPeriod(packet: packet, path: path, end: now + lingerTime)))
  }

  private func leave(with error: HTTP3Error, for next: ConnectionPhase) {
    guard !isClosed else { return }
    qlog?.connectionClosed(error)
    enter(next)
    held = nil
    events.append(.closed(error))
  }
}

extension HTTP3Connection {
  // MARK: Streams, from QUIC to what is mapped onto them

  func didReceive(
    _ bytes: UnsafeRawBufferPointer, on id: StreamID, at offset: UInt64, isLast: Bool, isEarly: Bool
  ) throws(HTTP3Error) {
    try mapping.receive(bytes, on: id, at: offset, isLast: isLast, isEarly: isEarly)
    // They come on a control stream.
    if id.isUnidirectional, let settings = mapping.http3?.takeNewSettings() { try settingsDidArrive(settings) }
  }

  func streamDidClose(_ id: StreamID, code: ApplicationErrorCode?) throws(HTTP3Error) {
    if ngtcp2_conn_is_local_stream(quic, id.rawValue) == 0 {
      if id.isUnidirectional {
        ngtcp2_conn_extend_max_streams_uni(quic, 1)
      } else {
        ngtcp2_conn_extend_max_streams_bidi(quic, 1)
      }
    }
    if code != nil, mapping.requests?.isTakenBack(byClosing: id) ?? false { try spendGlitch() }
    try mapping.streamDidClose(id, code: code)
  }

  func streamDidReset(_ id: StreamID, code: ApplicationErrorCode) throws(HTTP3Error) {
    try mapping.checkReset(of: id)
    if mapping.requests?.isTakenBack(byReset: id) ?? true { try spendGlitch() }
    try mapping.streamDidReset(id, code: code)
  }

  /// Counts what costs a peer nothing.
  private func spendGlitch() throws(HTTP3Error) {
    guard !glitches.spend(at: lastTimestamp) else { return }
    throw HTTP3Error(.application(.excessiveLoad), "The peer takes its requests back as fast as it sends them.")
  }

  func makeConnectionID(
    _ cid: UnsafeMutablePointer<ngtcp2_cid>, token: UnsafeMutablePointer<UInt8>?, length: Int
  ) -> Bool {
    cid.pointee = .random(length, from: random)
    switch role {
    case .client:
      random.fill(
        UnsafeMutableRawBufferPointer(start: token, count: Int(NGTCP2_STATELESS_RESET_TOKENLEN)))
    case .server(let secrets):
      guard ngtcp2_crypto_generate_stateless_reset_token(token, secrets.reset, secrets.reset.count, cid) == 0
      else { return false }
      connectionIDChanges.append(.added(ConnectionID(cid.pointee)))
    }
    return true
  }
}

extension HTTP3Error {
  /// The idle time-out passed, by the library's count or by ours.
  fileprivate static let silence = HTTP3Error(.idleTimeout, "Nothing came from the peer for the idle time-out.")
}
