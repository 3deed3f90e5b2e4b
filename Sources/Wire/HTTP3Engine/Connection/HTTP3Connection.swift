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
  let isServer: Bool
  let configuration: ConnectionConfiguration
  /// What the connections of one server share; nil for a client.
  private let secrets: ServerSecrets?
  /// The protocol on the streams, with a library's session of its own; that is freed before QUIC's.
  let mapping: StreamMapping
  let quic: QUICConnection
  /// The record of events.
  let qlog: QlogTrace?
  let events = EventQueue()
  private(set) var phase = ConnectionPhase.active
  /// Set inside a callback, turned into the connection's end once the library call has returned.
  private var pendingFailure: HTTP3Error?
  /// The result of the handshake; nil before it is complete.
  package var handshake: HandshakeInfo? { agreement }
  /// Of this file alone, and so read without a check for overlapping access, which the compiler adds for what others see.
  private var agreement: HandshakeInfo?
  var connectionIDs: OwnConnectionIDs
  var datagrams = DatagramState()
  var resumption = Resumption()
  // Asked for each packet. Each is a value that calls nothing which comes back to it: no check for overlapping access, as
  // at ``StreamState/watch``.
  @exclusivity(unchecked) var packetGuard: PacketGuard
  @exclusivity(unchecked) var liveness: Liveness
  @exclusivity(unchecked) var migration = PathMigration()
  @exclusivity(unchecked) var clientAddresses = ClientAddresses()
  @exclusivity(unchecked) var traffic = TrafficCounters()
  var sendStall = SendStall()
  /// A datagram that did not fit the batch before it.
  var held: HeldDatagram?

  // MARK: Opening

  /// A client's connection over `path`; its first datagram is ready at the next ``fill(_:at:)``.
  package static func client(
    _ client: ClientConfiguration, path: NetworkPath, at now: Timestamp, random: RandomSource
  ) throws(HTTP3Error) -> HTTP3Connection {
    var setup = ConnectionSetup.client(client, at: now, random: random)
    let connection = HTTP3Connection(
      client.connection, OwnConnectionIDs(resetSecret: nil), secrets: nil, &setup, over: path, at: now, random: random)
    try connection.open(setup, TLSSession.client(client, owner: connection), over: path)
    if let ticket = client.ticket { connection.resume(with: ticket) }
    return connection
  }

  /// A server's connection for the client's first packet, whose header is `initial`.
  ///
  /// - Parameter forged: what a raw server makes of its transport parameters.
  static func server(
    _ server: ServerConfiguration, initial: ngtcp2_pkt_hd, _ verdict: AddressValidation.Verdict,
    _ secrets: ServerSecrets, forged: ForgedParameter? = nil, path: NetworkPath, at now: Timestamp, random: RandomSource
  ) throws(HTTP3Error) -> HTTP3Connection {
    let forged = server.connection.isRaw ? forged : nil
    var ids = OwnConnectionIDs(resetSecret: secrets.reset)
    var setup = ConnectionSetup.server(server, initial: initial, verdict, ids: &ids, at: now, random: random)
    let connection = HTTP3Connection(
      server.connection, ids, secrets: secrets, &setup, over: path, at: now, random: random)
    let tls = try TLSSession.server(
      server, tickets: secrets.tickets, version: initial.version, forged: forged?.inTLS, owner: connection)
    try connection.open(setup, tls, over: path)
    connection.quic.forge(forged, setup)
    return connection
  }

  private init(
    _ configuration: ConnectionConfiguration, _ ids: OwnConnectionIDs, secrets: ServerSecrets?,
    _ setup: inout ConnectionSetup, over path: NetworkPath, at now: Timestamp, random: RandomSource
  ) {
    let isServer = secrets != nil
    self.isServer = isServer
    self.configuration = configuration
    self.secrets = secrets
    connectionIDs = ids
    mapping = StreamMapping(configuration, isServer: isServer, events: events)
    qlog = setup.startTrace(configuration, over: path, at: now)
    quic = QUICConnection(random: random, observer: PacketObserver(trace: qlog, raw: mapping.raw), at: now)
    packetGuard = PacketGuard(isServer: isServer)
    liveness = Liveness(configuration, isServer: isServer, at: now)
  }

  private func open(_ setup: ConnectionSetup, _ tls: TLSSession, over path: NetworkPath) throws(HTTP3Error) {
    try quic.open(setup, tls, over: path, owner: self)
    mapping.attach(to: quic.streams, qlog: qlog)
  }

  deinit {
    mapping.http3?.endSession()
    quic.free()
  }

  // MARK: The end

  /// The streams of a peer that breaks the rules, for tests; nil for any other.
  package var raw: RawStreams? { mapping.raw }

  /// Whether the `closed` event was given; nothing can be sent any more.
  package var isClosed: Bool { phase.isClosed }

  /// Ends the connection as was judged.
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

  private func enter(_ next: ConnectionPhase, _ error: HTTP3Error) {
    qlog?.connectionClosed(error)
    held = nil
    raw?.close()
    enter(next)
    events.append(.closed(error))
  }

  func enter(_ next: ConnectionPhase) {
    phase = next
    if let step = next.step { qlog?.enter(step) }
  }

  /// Notes a packet that came while closing.
  func answerStrayPacket() { phase.didReceive() }

  /// Takes the CONNECTION_CLOSE packet that is due.
  func takeClosePacket() -> (bytes: [UInt8], path: NetworkPath)? { phase.takePacket() }

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

  /// Ends the connection because a library call answered `code`.
  func didFail(_ code: Int32, at now: Timestamp) {
    let cause = pendingFailure
    pendingFailure = nil
    end(ConnectionEnd(quic.failure(code), cause: cause, peer: quic.peerClose), at: now)
  }

  // MARK: The handshake

  func handshakeDidComplete() throws(HTTP3Error) {
    guard let tls = quic.tls else { return }
    if let limit = configuration.packetsPerKey { quic.limitKeyUse(to: limit) }
    try tls.requireApplicationProtocol()
    let info = tls.info(quic.version, try settleEarlyData(isTaken: tls.tookEarlyData))
    agreement = info
    packetGuard.handshakeDidComplete()
    liveness.handshakeDidComplete()
    if !isServer { raw?.sendCrypto(configuration.rawBehindFinished, inHandshake: true) }
    qlog?.handshakeCompleted(info)
    applyKeepAlive()
    events.append(.handshakeCompleted(info))
    offerResumption()
  }

  private func settleEarlyData(isTaken: Bool) throws(HTTP3Error) -> HandshakeInfo.EarlyData {
    switch resumption.settle(isTaken: isTaken) {
    // A server's is GnuTLS's to take.
    case .notOffered: return isServer && isTaken ? .accepted : .notOffered
    case .accepted: return .accepted
    case .rejected:
      // Its streams are gone on both sides.
      try quic.rejectEarlyData()
      datagrams.removeAll()
      qlog?.earlyDataRefused()
      try mapping.restart(
        HTTP3Error(.requestNotProcessed, side: .remote, "The server refused early data; the request may be sent again.")
      )
      return .rejected
    }
  }

  /// Gives the client what it needs to come back soon: tickets, each good for one connection, and a token.
  private func offerResumption() {
    guard let secrets, quic.isOfFirstVersion, let path = quic.path else { return }
    if secrets.tickets != nil, secrets.ticketsPerConnection > 0 { quic.tls?.sendTickets(secrets.ticketsPerConnection) }
    offerToken(for: path)
  }

  /// Gives the client a token for its next connection from where it is now.
  func offerToken(for path: NetworkPath) {
    guard let secrets, quic.isOfFirstVersion else { return }
    quic.send(token: secrets.validation.newToken(for: path, at: quic.now))
  }

  // MARK: Results

  package func nextEvent() -> HTTP3Event? {
    guard !events.isEmpty else { return nil }
    let event = events.popFirst()
    if case .datagramReceived = event { datagrams.didTake() }
    return event
  }

  /// When ``handleTimeout(at:)`` is due next; nil when nothing is.
  package var deadline: Timestamp? {
    guard case .active = phase else { return phase.deadline }
    let expiry = quic.expiry
    var earliest = expiry == .max ? nil : Timestamp(nanoseconds: expiry)
    if let due = mapping.http3?.goAwayDeadline { earliest = min(due, earliest ?? due) }
    if let due = clientAddresses.verdictDue { earliest = min(due, earliest ?? due) }
    if let due = liveness.suspicionDue(probeTimeout: quic.probeTimeout) { earliest = min(due, earliest ?? due) }
    if let due = liveness.abandonmentDue { earliest = min(due, earliest ?? due) }
    return earliest
  }

  package var statistics: ConnectionStatistics { ConnectionStatistics(traffic, quic.metrics) }

  /// Takes what the trace recorded since the last call; nil for nothing, or without ``ConnectionConfiguration/qlog``.
  ///
  /// Take it after each write pass: what does not fit in ``QlogConfiguration/waitingLimit`` is lost.
  package func takeQlog() -> QlogOutput? {
    let isOver = if case .over = phase { true } else { false }
    return qlog?.take(isLast: isOver)
  }
}
