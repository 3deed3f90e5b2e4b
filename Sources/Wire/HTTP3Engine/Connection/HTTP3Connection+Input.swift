import CQUIC

// Facts in: datagrams, time-outs, the owner's orders to end, and what the libraries tell of inside their calls.

extension HTTP3Connection {
  /// Takes one UDP datagram that came over `path` with the given ECN mark.
  package func receive(
    _ datagram: UnsafeRawBufferPointer, on path: NetworkPath, ecn: ECNCodepoint, at now: Timestamp
  ) {
    let now = quic.advance(to: now)
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
    let host = host(of: path)
    if isServer { clientAddresses.didReceive(datagram.count, from: path.remote) }
    let code = quic.read(datagram, on: path, host: host, ecn: configuration.usesECN ? ecn.rawValue : 0, at: now)
    if code != 0 { return didFail(code, at: now) }
    liveness.didReceive(at: now)
    // A client that only receives a large body has little to be acknowledged.
    if liveness.awaitsAnswer { report(liveness.didRead(inFlight: quic.flight.byteCount, at: now)) }
    startQueuedMigration(at: now)
  }

  /// Does what was due at ``deadline``; harmless when called early.
  package func handleTimeout(at now: Timestamp) {
    let now = quic.advance(to: now)
    switch phase {
    case .active:
      mapping.http3?.finishGoingAway(at: now)
      report(liveness.suspectIfSilent(at: now, probeTimeout: quic.probeTimeout))
      if let due = liveness.abandonmentDue, due <= now { return end(.silence, at: now) }
      guard quic.expiry <= now.nanoseconds else { return }
      let code = quic.handleExpiry(at: now)
      if code != 0 { didFail(code, at: now) }
    case .closing, .draining:
      if let due = phase.deadline, due <= now { enter(.over()) }
    case .over: break
    }
  }

  /// Ends the connection with CONNECTION_CLOSE (RFC 9114 § 5.3).
  package func close(_ code: ApplicationErrorCode, reason: String, at now: Timestamp) {
    let error = HTTP3Error(.application(code), reason.isEmpty ? "The connection was closed (\(code))." : reason)
    let frame = CloseFrame.application(configuration.mapping.wireCode(of: code), reason: error.message)
    end(.close(error, frame), at: quic.advance(to: now))
  }

  /// Ends the connection with an error of QUIC's own (RFC 9000 § 20.1).
  package func close(transportError code: QUICErrorCode, reason: String, at now: Timestamp) {
    end(
      .close(HTTP3Error(.transport(code), reason), .transport(code, reason: reason)), at: quic.advance(to: now))
  }

  // MARK: Inside the QUIC library's calls

  /// Whether the library may read the frames of a packet that it has opened.
  func judge(_ payload: UnsafeRawBufferPointer, header: UnsafeRawBufferPointer) -> PacketGuard.Verdict {
    guard let level = HandshakeMessageOrder.Level(header: header) else { return .read }
    let verdict = packetGuard.judge(packet: payload, at: level)
    if case .close(let error) = verdict { fail(with: error) }
    return verdict
  }

  /// TLS takes the next bytes of a CRYPTO stream, which are in order.
  func willTakeCrypto(
    _ bytes: UnsafeRawBufferPointer, at level: HandshakeMessageOrder.Level, offset: UInt64
  ) throws(HTTP3Error) {
    if let breach = packetGuard.breach(in: bytes, at: level, offset: offset) { throw breach }
  }

  /// Begins with HTTP/3, as soon as there are keys for it.
  func openStreams() throws(HTTP3Error) {
    guard quic.peerParameters != nil else { throw PeerParameters.missing }
    // A server's Finished was written before this key was made.
    if isServer { raw?.sendCrypto(configuration.rawBehindFinished, inHandshake: true) }
    try mapping.open()
  }

  func didReceive(
    _ bytes: UnsafeRawBufferPointer, on id: StreamID, at offset: UInt64, isLast: Bool, isEarly: Bool
  ) throws(HTTP3Error) {
    try mapping.receive(bytes, on: id, at: offset, isLast: isLast, isEarly: isEarly)
    // They come on a control stream.
    guard id.isUnidirectional, let settings = mapping.http3?.takeNewSettings() else { return }
    try resumption.check(settings)
    deliverTickets()
  }

  func streamDidClose(_ id: StreamID, code: ApplicationErrorCode?) throws(HTTP3Error) {
    quic.streams.allowAnother(id)
    if code != nil { try mapping.requests?.countClosing(of: id, at: quic.now) }
    try mapping.streamDidClose(id, code: code)
  }

  func streamDidReset(_ id: StreamID, code: ApplicationErrorCode) throws(HTTP3Error) {
    try mapping.checkReset(of: id)
    try mapping.requests?.countReset(of: id, at: quic.now)
    try mapping.streamDidReset(id, code: code)
  }

  func didReceiveDatagram(_ frame: UnsafeRawBufferPointer) throws(HTTP3Error) {
    let datagram = try datagrams.receive(frame) { mapping.requests?.stream($0).map { !$0.receive.isOver } ?? false }
    if let datagram { events.append(.datagramReceived(datagram.stream, datagram.payload)) }
  }

  func didReceiveNewToken(_ token: UnsafeBufferPointer<UInt8>) {
    guard quic.isOfFirstVersion, resumption.takesToken(ofLength: token.count) else { return }
    events.append(.newTokenReceived(Array(token)))
  }

  // MARK: Inside GnuTLS's calls

  /// GnuTLS's verification hook: 0 accepts.
  func verifyPeer() -> Int32 {
    guard let tls = quic.tls else { return -1 }
    return settle { (_) throws(HTTP3Error) in try tls.verifyPeer() } == 0 ? 0 : -1
  }

  /// GnuTLS's hook around a message of the handshake: 0, or what ends it.
  func didMeet(
    _ message: HandshakeHook.Message, _ moment: HandshakeHook.Moment, _ bytes: UnsafeRawBufferPointer
  ) -> Int32 {
    let hook = HandshakeHook(
      offersEarlyData: resumption.isEarlyDataOffered, opensEarlyData: quic.tls?.opensEarlyData == true,
      groups: configuration.keyExchangeGroups)
    switch hook.verdict(on: message, moment, bytes) {
    case .proceed: break
    case .willReadTicket(let allowsEarlyData): resumption.willReadTicket(allowsEarlyData: allowsEarlyData)
    case .didReadTicket: ticketDidArrive()
    case .refuseEarlyData: quic.tls?.refuseEarlyData()
    case .retryWithoutEarlyData:
      fail(with: .earlyDataRetry)
      return GNUTLS_E_UNEXPECTED_PACKET
    case .malformedParameters:
      quic.refuseParameters()
      return GNUTLS_E_RECEIVED_ILLEGAL_PARAMETER
    case .tooLateToRetry: return GNUTLS_E_ILLEGAL_PARAMETER
    }
    return 0
  }

  private func ticketDidArrive() {
    guard let tls = quic.tls, resumption.takesTicket, quic.isOfFirstVersion, let session = tls.sessionData else {
      return
    }
    resumption.didReadTicket(session: session, certificates: tls.isResumed ? nil : tls.peerCertificates)
    deliverTickets()
  }

  /// Reports the tickets whose SETTINGS are known.
  private func deliverTickets() {
    for ticket in resumption.takeTickets(under: mapping.peerSettings, transportParameters: { quic.earlyParameters }) {
      events.append(.ticketReceived(ticket))
    }
  }
}
