import CQUIC

/// One HTTP/3 connection over QUIC, client or server, without input and output of its own.
///
/// Its methods are of four kinds.
/// - Facts in: ``receive(_:on:ecn:at:)``, ``handleTimeout(at:)``.
/// - Orders in: ``sendRequest(_:endStream:)``, ``sendResponse(_:on:endStream:)``, ``sendBody(_:on:endStream:)``,
///   ``consume(_:on:)``, ``cancel(_:code:)``, ``goAway()``, ``close(_:reason:at:)``.
/// - Results out: ``fill(_:at:)``, ``deadline``, ``nextEvent()``.
/// - Getters.
///
/// After any input, call `fill` until it answers false and send each batch, then read `deadline`, then take events until
/// there are none; start over if taking them led to an order. Not `Sendable`: one event loop owns it.
package final class HTTP3Connection {
  let role: Role
  let isServer: Bool
  let configuration: ConnectionConfiguration
  let random: RandomSource
  private let keyLog: (@Sendable (String) -> Void)?
  /// The protocol on the streams, with a library's session of its own; that is freed first, then QUIC's, then TLS's.
  let mapping: StreamMapping
  private(set) var quic: OpaquePointer?
  private(set) var tls: TLSSession?

  private(set) var phase = ConnectionPhase.active
  let events = EventQueue()
  var datagrams = DatagramState()
  /// Connection ids that came into or went out of use, for the endpoint that routes by them.
  var connectionIDChanges = Queue<ConnectionIDChange>()
  /// Set inside a callback, turned into the connection's end once the library call has returned.
  private var pendingFailure: HTTP3Error?
  var resumption = Resumption()
  var packetGuard: PacketGuard
  /// The library's next time-out apart from pacing, after a write of the handshake and until the next packet or time-out.
  var handshakeExpiry: UInt64?
  var liveness: Liveness
  let receivePath = ReceivePath()
  var migration = PathMigration()
  var clientAddresses = ClientAddresses()
  /// A datagram that did not fit the batch before it.
  var held: HeldDatagram?
  var lastTimestamp: Timestamp
  var sendStall = SendStall()
  var glitches = GlitchBudget()
  var traffic = TrafficCounters()
  /// The result of the handshake; nil before it is complete.
  package var handshake: HandshakeInfo? { agreement }
  /// Of this file alone, and so read without a check for overlapping access, which the compiler adds for what others see.
  private var agreement: HandshakeInfo?
  /// The record of events, and the path that was told last.
  var qlog: QlogTrace?
  var tracedPath: NetworkPath?

  enum Role {
    case client(ClientConfiguration)
    case server(ServerSecrets)
  }

  init(
    role: Role, configuration: ConnectionConfiguration, random: RandomSource,
    keyLog: (@Sendable (String) -> Void)?, at now: Timestamp
  ) {
    self.role = role
    isServer = if case .server = role { true } else { false }
    packetGuard = PacketGuard(isServer: isServer)
    self.configuration = configuration
    self.random = random
    mapping = StreamMapping(configuration, isServer: isServer, events: events)
    self.keyLog = keyLog
    liveness = Liveness(configuration, at: now)
    lastTimestamp = now
  }

  /// Takes ownership of both; called once, right after the library made the connection.
  func adopt(quic: OpaquePointer?, tls: TLSSession) {
    self.quic = quic
    self.tls = tls
    tls.attach(to: quic)
    mapping.attach(to: QUICStreams(quic), qlog: qlog)
  }

  deinit {
    mapping.http3?.endSession()
    if let quic { ngtcp2_conn_del(quic) }
  }

  /// Whether the `closed` event was given; nothing can be sent any more.
  package var isClosed: Bool {
    switch phase {
    case .active: false
    case .closing, .draining, .over: true
    }
  }

  func enter(_ next: ConnectionPhase) {
    phase = next
    switch next {
    case .active: break
    case .closing: qlog?.enter(.closing)
    case .draining: qlog?.enter(.draining)
    case .over: qlog?.enter(.closed)
    }
  }

  /// Notes a packet that came while closing.
  func answerStrayPacket() {
    guard case .closing(var period) = phase else { return }
    period.didReceive()
    phase = .closing(period)
  }

  /// Takes the CONNECTION_CLOSE packet that is due.
  func takeClosePacket() -> (bytes: [UInt8], path: NetworkPath)? {
    guard case .closing(var period) = phase, let packet = period.takePacket() else { return nil }
    phase = .closing(period)
    return (packet, period.path)
  }

  /// The peer's address on the current path.
  package var remoteAddress: NetworkAddress? { currentPath?.remote }

  // MARK: Failures inside the libraries' calls

  /// Runs a callback's work; its failure ends the connection once the library's call has returned.
  func settle(_ work: (HTTP3Connection) throws(HTTP3Error) -> Void) -> Int32 {
    do throws(HTTP3Error) {
      try work(self)
      return 0
    } catch {
      fail(with: error)
      return NGTCP2_ERR_CALLBACK_FAILURE
    }
  }

  /// Notes why the connection has to end; the first reason holds.
  func fail(with error: HTTP3Error) {
    if pendingFailure == nil { pendingFailure = error }
  }

  func takeFailure() -> HTTP3Error? {
    defer { pendingFailure = nil }
    return pendingFailure
  }

  package func nextEvent() -> HTTP3Event? {
    guard !events.isEmpty else { return nil }
    let event = events.popFirst()
    if case .datagramReceived = event { datagrams.receivedCount -= 1 }
    return event
  }

  /// When ``handleTimeout(at:)`` is due next; nil when nothing is.
  package var deadline: Timestamp? {
    guard case .active = phase else { return phase.deadline }
    let expiry = libraryExpiry
    var earliest = expiry == .max ? nil : Timestamp(nanoseconds: expiry)
    if let due = mapping.http3?.goAwayDeadline { earliest = min(due, earliest ?? due) }
    if let due = clientAddresses.verdictDue { earliest = min(due, earliest ?? due) }
    if let due = liveness.suspicionDue(probeTimeout: probeTimeout) { earliest = min(due, earliest ?? due) }
    if let due = liveness.abandonmentDue { earliest = min(due, earliest ?? due) }
    return earliest
  }

  /// When the library wants to be called, in nanoseconds, or the greatest value.
  var libraryExpiry: UInt64 { handshakeExpiry ?? ngtcp2_conn_get_expiry(quic) }

  package var statistics: ConnectionStatistics {
    var info = ngtcp2_conn_info()
    if let quic { CQUIC_conn_get_conn_info(quic, &info) }
    // Before the first sample the library reports the initial guess and a minimum of UINT64_MAX.
    let hasSample = info.min_rtt != .max && info.min_rtt != 0
    return ConnectionStatistics(
      smoothedRoundTrip: hasSample ? .nanoseconds(Int64(clamping: info.smoothed_rtt)) : nil,
      minimumRoundTrip: hasSample ? .nanoseconds(Int64(clamping: info.min_rtt)) : nil,
      congestionWindow: info.cwnd, datagramsSent: traffic.datagramsSent, datagramsReceived: traffic.datagramsReceived,
      bytesSent: traffic.bytesSent, bytesReceived: traffic.bytesReceived)
  }

  /// ngtcp2 asserts that time does not run backwards.
  func clamp(_ now: Timestamp) -> Timestamp {
    lastTimestamp = max(now, lastTimestamp)
    qlog?.now = lastTimestamp
    return lastTimestamp
  }

  func logKey(
    label: UnsafePointer<CChar>?, secret: UnsafePointer<gnutls_datum_t>?, session: gnutls_session_t?
  ) {
    guard let keyLog, let label, let secret else { return }
    var random = gnutls_datum_t()
    gnutls_session_get_random(session, &random, nil)
    keyLog("\(String(cString: label)) \(Self.hex(random)) \(Self.hex(secret.pointee))")
  }

  private static func hex(_ datum: gnutls_datum_t) -> String {
    UnsafeBufferPointer(start: datum.data, count: Int(datum.size))
      .map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// Sends with new keys from the next packet on (RFC 9001 § 6); false while the handshake is not confirmed, the last
  /// update not acknowledged, or nothing came since then, with which the next keys are made. The library updates by itself before a key was used too often (§ 6.6).
  package func updateKeys(at now: Timestamp) -> Bool {
    // The library asserts that the handshake's last packets were written.
    guard !isClosed, handshake != nil, !packetGuard.isFirstWriteDue else { return false }
    return ngtcp2_conn_initiate_key_update(quic, clamp(now).nanoseconds) == 0
  }

  /// Where the configuration says so. The library takes it while it has the handshake's keys, and not later.
  private func limitKeyUse() {
    guard let limit = configuration.packetsPerKey, var ciphers = ngtcp2_conn_get_crypto_ctx(quic)?.pointee else {
      return
    }
    ciphers.max_encryption = min(limit, ciphers.max_encryption)
    ngtcp2_conn_set_crypto_ctx(quic, &ciphers)
  }

  /// GnuTLS's verification hook: 0 accepts.
  func verifyPeer() -> Int32 {
    guard case .client(let client) = role, let tls else { return -1 }
    do {
      try client.verifier.verify(chain: tls.peerCertificates, host: client.host)
      return 0
    } catch {
      fail(with: error)
      return -1
    }
  }

  func handshakeDidComplete() throws(HTTP3Error) {
    guard let tls else { return }
    limitKeyUse()
    guard tls.hasApplicationProtocol else {
      throw HTTP3Error(
        .tlsAlert(UInt8(GNUTLS_A_NO_APPLICATION_PROTOCOL.rawValue)),
        "The server agreed on no application protocol (ALPN); it does not serve HTTP/3 there.")
    }
    let settlement = resumption.settle(isTaken: tls.tookEarlyData)
    if settlement == .rejected { try dropEarlyRequests() }
    let early: HandshakeInfo.EarlyData =
      switch settlement {
      // A server's is GnuTLS's to take.
      case .notOffered: isServer && tls.tookEarlyData ? .accepted : .notOffered
      case .accepted: .accepted
      case .rejected: .rejected
      }
    let info = HandshakeInfo(
      version: ngtcp2_conn_get_negotiated_version(quic), cipherNumber: tls.cipherNumber,
      groupNumber: tls.groupNumber, isResumed: tls.isResumed, earlyData: early)
    agreement = info
    if !isServer {
      packetGuard.handshakeDidComplete()
      sendCrypto(configuration.rawBehindFinished, inHandshake: true)
    }
    qlog?.handshakeCompleted(info)
    applyKeepAlive()
    events.append(.handshakeCompleted(info))
    offerResumption()
  }
}
