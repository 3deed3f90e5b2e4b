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
  private let configuration: ConnectionConfiguration
  let quic: QUICConnection
  /// The protocol on the streams, with a library's session of its own; that is freed before QUIC's.
  let mapping: StreamMapping
  let lifetime: ConnectionLifetime
  let watch: PathWatch
  let paths: ConnectionPaths
  let datagrams: HTTPDatagrams
  let repeats: RepeatSender?
  /// The record of events.
  let qlog: QlogTrace?
  private let handshaking: ConnectionHandshake
  private let writer: PacketWriter
  /// The libraries call it, and do not keep it.
  private let delegate: LibraryDelegate
  private let events: EventQueue
  @exclusivity(unchecked) private var traffic = TrafficCounters()

  // MARK: Opening

  /// A client's connection over `path`; its first datagram is ready at the next ``fill(_:at:)``.
  package static func client(
    _ client: ClientConfiguration, path: NetworkPath, at now: Timestamp, random: RandomSource
  ) throws(HTTP3Error) -> HTTP3Connection {
    var setup = ConnectionSetup.client(client, at: now, random: random)
    let connection = HTTP3Connection(
      client.connection, OwnConnectionIDs(resetSecret: nil), secrets: nil, &setup, over: path, at: now, random: random)
    try connection.open(setup, TLSSession.client(client, owner: connection.delegate), over: path)
    if let ticket = client.ticket { connection.handshaking.resume(with: ticket) }
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
    var ids = OwnConnectionIDs(resetSecret: secrets.reset, maker: server.connectionIDs)
    var setup = ConnectionSetup.server(server, initial: initial, verdict, ids: &ids, at: now, random: random)
    let connection = HTTP3Connection(
      server.connection, ids, secrets: secrets, &setup, over: path, at: now, random: random)
    let tls = try TLSSession.server(
      server, tickets: secrets.tickets, version: initial.version, forged: forged?.inTLS, owner: connection.delegate)
    try connection.open(setup, tls, over: path)
    connection.quic.forge(forged, setup)
    return connection
  }

  /// Makes the parts, each with those that it uses.
  private init(
    _ configuration: ConnectionConfiguration, _ ids: OwnConnectionIDs, secrets: ServerSecrets?,
    _ setup: inout ConnectionSetup, over path: NetworkPath, at now: Timestamp, random: RandomSource
  ) {
    let isServer = secrets != nil
    self.configuration = configuration
    events = EventQueue()
    mapping = StreamMapping(configuration, isServer: isServer, events: events)
    qlog = setup.startTrace(configuration, over: path, at: now)
    quic = QUICConnection(
      random: random, observer: PacketObserver(trace: qlog, raw: mapping.raw), usesECN: configuration.usesECN, at: now)
    let keepsBack = isServer && !configuration.isRaw
    let packetGuard = PacketGuard(
      isServer: isServer, window: min(configuration.streamWindow, configuration.connectionWindow),
      unsent: keepsBack ? UnsentPackets(span: configuration.unsentPacketSpan, random: random) : nil)
    lifetime = ConnectionLifetime(quic, mapping, events, qlog: qlog)
    watch = PathWatch(quic, events, configuration, isServer: isServer)
    let resumption = SessionResumption(quic, mapping, events, secrets: secrets)
    datagrams = HTTPDatagrams(
      quic, mapping, resumption, events, isServer: isServer, isEnabled: configuration.usesDatagrams)
    repeats = RepeatSender(quic, mapping, configuration.repeats, isServer: isServer)
    handshaking = ConnectionHandshake(
      quic, mapping, resumption, datagrams, packetGuard, lifetime, watch, events, qlog: qlog, configuration,
      isServer: isServer)
    paths = ConnectionPaths(
      quic, handshaking, lifetime, watch, events, qlog: qlog, configuration, isServer: isServer)
    writer = PacketWriter(
      quic, mapping, datagrams, repeats, handshaking, paths, watch, packetGuard, lifetime, qlog: qlog,
      usesECN: configuration.usesECN)
    delegate = LibraryDelegate(
      quic, mapping, handshaking, resumption, paths, datagrams, repeats, packetGuard, lifetime, events, qlog: qlog, ids)
  }

  private func open(_ setup: ConnectionSetup, _ tls: TLSSession, over path: NetworkPath) throws(HTTP3Error) {
    try quic.open(setup, tls, over: path, owner: delegate)
    mapping.attach(to: quic.streams, qlog: qlog)
  }

  deinit {
    mapping.http3?.endSession()
    quic.free()
  }

  // MARK: Facts

  /// Takes one UDP datagram that came over `path` with the given ECN mark.
  package func receive(
    _ datagram: UnsafeRawBufferPointer, on path: NetworkPath, ecn: ECNCodepoint, at now: Timestamp
  ) {
    let now = quic.advance(to: now)
    traffic.didReceive(byteCount: datagram.count)
    qlog?.datagramReceived(datagram.count)
    switch lifetime.phase {
    case .active: break
    case .closing: return lifetime.didReceiveStrayPacket()
    case .draining, .over: return
    }
    // Shorter than any protected packet (RFC 9001 § 5.4.2).
    guard datagram.count >= 21 else { return }
    guard !traffic.isExhausted else {
      return close(.noError, reason: "The connection has carried as many packets as it may.", at: now)
    }
    let host = paths.willRead(datagram.count, from: path)
    let code = quic.read(datagram, on: path, host: host, ecn: ecn, at: now)
    if code != 0 { return lifetime.didFail(code, at: now) }
    watch.didReceive(at: now)
    paths.startQueuedMigration(at: now)
  }

  /// Does what was due at ``deadline``; harmless when called early.
  package func handleTimeout(at now: Timestamp) {
    let now = quic.advance(to: now)
    switch lifetime.phase {
    case .active:
      mapping.http3?.finishGoingAway(at: now)
      watch.suspectIfSilent(at: now)
      if watch.isAbandoned(at: now) { return lifetime.end(.silence, at: now) }
      guard quic.expiry <= now.nanoseconds else { return }
      let code = quic.handleExpiry(at: now)
      if code != 0 { lifetime.didFail(code, at: now) }
    case .closing, .draining: lifetime.handleTimeout(at: now)
    case .over: break
    }
  }

  // MARK: The end

  /// Ends the connection with CONNECTION_CLOSE (RFC 9114 § 5.3).
  package func close(_ code: ApplicationErrorCode, reason: String, at now: Timestamp) {
    let error = HTTP3Error(.application(code), reason.isEmpty ? "The connection was closed (\(code))." : reason)
    let frame = CloseFrame.application(configuration.mapping.wireCode(of: code), reason: error.message)
    lifetime.end(.close(error, frame), at: quic.advance(to: now))
  }

  /// Ends the connection with an error of QUIC's own (RFC 9000 § 20.1).
  package func close(transportError code: QUICErrorCode, reason: String, at now: Timestamp) {
    lifetime.end(
      .close(HTTP3Error(.transport(code), reason), .transport(code, reason: reason)), at: quic.advance(to: now))
  }

  /// Whether the `closed` event was given; nothing can be sent any more.
  package var isClosed: Bool { lifetime.isClosed }

  // MARK: The handshake

  /// The result of the handshake; nil before it is complete.
  package var handshake: HandshakeInfo? { handshaking.info }

  /// Whether a request that is sent now goes out as early data: anybody may replay it to the server, so it has to be a
  /// safe one (RFC 8470 § 2.1), and the server may refuse all of it at the handshake's end; each stream then ends with
  /// `requestNotProcessed`.
  package var isSendingEarlyData: Bool { handshaking.isSendingEarlyData }

  /// The OCSP response that the server has stapled to its certificate (RFC 6066 § 8), which nobody has checked; nil for none.
  package var stapledResponse: [UInt8]? { quic.tls?.stapledResponse }

  /// The certificates by which the client of a server has proved who it is, DER, leaf first; none where it was not
  /// asked, or had none, and before the handshake is complete.
  package var clientCertificates: [[UInt8]] { handshaking.isComplete ? quic.tls?.clientCertificates ?? [] : [] }

  /// Sends with new keys from the next packet on (RFC 9001 § 6); false while the handshake is not confirmed, the last
  /// update not acknowledged, or nothing came since then, with which the next keys are made. The library updates by itself
  /// before a key was used too often (§ 6.6).
  package func updateKeys(at now: Timestamp) -> Bool { handshaking.updateKeys(at: quic.advance(to: now)) }

  // MARK: Results

  /// Writes datagrams of one path, mark and size into `batch`; answers false when there is nothing to send now, of which
  /// ``DatagramBatch/mayHaveMore`` is a sign one call earlier.
  package func fill(_ batch: inout DatagramBatch, at now: Timestamp) -> Bool {
    batch.removeAll()
    writer.fill(&batch, at: quic.advance(to: now), deadline: deadline)
    traffic.didSend(datagramCount: batch.segmentCount, byteCount: batch.byteCount)
    return !batch.isEmpty
  }

  /// The oldest event that was not taken; nil for none.
  package func nextEvent() -> HTTP3Event? {
    guard !events.isEmpty else { return nil }
    let event = events.popFirst()
    if case .datagramReceived = event { datagrams.didTake() }
    return event
  }

  /// The time at which ``handleTimeout(at:)`` is due next; nil when nothing is.
  package var deadline: Timestamp? {
    guard case .active = lifetime.phase else { return lifetime.phase.deadline }
    let expiry = quic.expiry
    var earliest = expiry == .max ? nil : Timestamp(nanoseconds: expiry)
    if let due = mapping.http3?.goAwayDeadline { earliest = min(due, earliest ?? due) }
    if let due = paths.deadline { earliest = min(due, earliest ?? due) }
    if let due = watch.deadline { earliest = min(due, earliest ?? due) }
    if let due = repeats?.deadline { earliest = min(due, earliest ?? due) }
    return earliest
  }

  /// Packets that were written and never sent, by which a peer that acknowledges them is found.
  package var packetsKeptBack: Int { writer.packetsKeptBack }

  /// Takes the oldest change of the connection's own ids that nobody has taken; an endpoint routes by them.
  func takeConnectionIDChange() -> ConnectionIDChange? { delegate.takeConnectionIDChange() }

  package var statistics: ConnectionStatistics {
    var statistics = ConnectionStatistics(traffic, quic.metrics)
    if let repeats { statistics.repeats = repeats.counters }
    statistics.earlyContentCount = mapping.http3?.repeats?.earlyCount ?? 0
    return statistics
  }

  /// Takes what the trace recorded since the last call; nil for nothing, or without ``ConnectionConfiguration/qlog``.
  ///
  /// Take it after each write pass: what does not fit in ``QlogConfiguration/waitingLimit`` is lost.
  package func takeQlog() -> QlogOutput? {
    let isOver = if case .over = lifetime.phase { true } else { false }
    return qlog?.take(isLast: isOver)
  }
}
