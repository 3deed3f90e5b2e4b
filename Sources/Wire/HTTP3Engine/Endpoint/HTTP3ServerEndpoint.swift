import CQUIC

/// Names one connection of an endpoint, or of several that share an address; never used twice.
package struct ConnectionKey: Hashable, Sendable {
  package var rawValue: UInt64

  package init(rawValue: UInt64) {
    self.rawValue = rawValue
  }
}

/// All connections of one UDP socket of a server, distinguished by their connection ids (RFC 9000 § 5.2).
///
/// The same contract as ``HTTP3Connection``: facts and orders in, then ``fill(_:at:)``, ``deadline`` and ``nextEvent()``
/// out. Not `Sendable`: one event loop owns it.
package final class HTTP3ServerEndpoint {
  /// Closed connections that are kept at once.
  package static let lingeringLimit = 256

  private var configuration: ServerConfiguration
  private let random: RandomSource
  private var secrets: ServerSecrets
  private var connections: [ConnectionKey: HTTP3Connection] = [:]
  private var routes: [ConnectionID: ConnectionKey] = [:]
  private var routesOfConnection: [ConnectionKey: ConnectionRoutes] = [:]
  private var deadlines = DeadlineQueue()
  /// Connections whose handshake is not complete.
  private var handshakes: Set<ConnectionKey> = []
  /// Connections that were touched since their last write pass, each once.
  private var touched = Queue<ConnectionKey>()
  private var isTouched: Set<ConnectionKey> = []
  /// Closed connections whose last packet is kept to answer stray ones (RFC 9000 § 10.2).
  private var lingering: Set<ConnectionKey> = []
  private var events = Queue<(ConnectionKey, HTTP3Event)>()
  private var replies: StatelessReplies
  /// Traces with something to take; a connection's end is not the end of its trace.
  private var traces: [ConnectionKey: QlogTrace] = [:]
  private var nextKey: UInt64
  private var isGoingAway = false
  /// Decides which clients are taken; without it the endpoint takes all up to ``ServerConfiguration/maximumConnections``.
  package var admission: (any ConnectionAdmission)?
  /// The false parameter in the handshakes of raw connections from now on.
  package var forgedParameter: ForgedParameter?
  /// The kind of the last batch of ``fill(_:at:)``, if it answers a datagram of no connection.
  package private(set) var filledReply: StatelessReply?
  /// The connection that was made last.
  package private(set) var newestConnection: ConnectionKey?

  /// - Parameter common: what it shares with the other endpoints of a server; nil where it is the only one.
  package init(_ configuration: ServerConfiguration, random: RandomSource, common: CommonSecrets? = nil) {
    self.configuration = configuration
    self.random = random
    nextKey = UInt64(configuration.place?.index ?? 0)
    secrets = ServerSecrets(configuration, common: common, random: random)
    replies = StatelessReplies(random: random, resetSecret: secrets.reset, maker: configuration.connectionIDs)
  }

  /// Connections that are not closed.
  package var connectionCount: Int { connections.values.count { !$0.isClosed } }

  /// Connections apart from those that closed, which keep nobody out.
  private var liveCount: Int { connections.count - lingering.count }

  /// Connection ids that lead to a connection.
  package var routeCount: Int { routes.count }

  /// Handshakes whose early data was refused because ``ServerConfiguration/earlyDataMemory`` was full.
  package var unrememberedHandshakes: UInt64 { secrets.tickets?.unremembered ?? 0 }

  /// Takes other ``ServerConfiguration/secrets`` for the connections to come; none changes nothing.
  package func use(secrets others: [[UInt8]]) { secrets.replace(others) }

  /// Takes early data from now on, with tickets that are given out from now on.
  package func beginEarlyData() throws(HTTP3Error) {
    guard !configuration.takesEarlyData else { return }
    try secrets.renewTickets(configuration)
    configuration.takesEarlyData = true
  }

  package func connection(_ key: ConnectionKey) -> HTTP3Connection? {
    guard let connection = connections[key] else { return nil }
    touch(key)
    return connection
  }

  /// Takes one UDP datagram.
  package func receive(
    _ datagram: UnsafeRawBufferPointer, on path: NetworkPath, ecn: ECNCodepoint, at now: Timestamp
  ) {
    // Port 0 is nobody's (RFC 6335 § 6), and nothing can be sent to it.
    guard path.remote.port != 0 else { return }
    guard datagram.count >= 21, let bytes = datagram.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
    var header = ngtcp2_version_cid()
    let code = ngtcp2_pkt_decode_version_cid(&header, bytes, datagram.count, ConnectionID.ownLength)
    guard code == 0 || code == NGTCP2_ERR_VERSION_NEGOTIATION else { return }
    // Version Negotiation is never for a server, and its ids may be longer than the library's type takes.
    let isLong = bytes[0] & 0x80 != 0
    if isLong, header.version == 0 { return }
    let id = ConnectionID(UnsafeRawBufferPointer(start: header.dcid, count: header.dcidlen))
    if let key = routes[id], let connection = connections[key] {
      connection.receive(datagram, on: path, ecn: ecn, at: now)
      settleRoutes(connection, key)
      touch(key)
    } else if isGoingAway, configuration.leavesNewcomers {
      // It may be for the server that takes over the socket, whose stateless resets are the same.
    } else if code == NGTCP2_ERR_VERSION_NEGOTIATION || (isLong && !isSpoken(header.version)) {
      replies.negotiateVersion(
        header, configuration.connection.versions, triggeredBy: datagram.count, on: path)
    } else if header.version == 0 {
      // A short header that belongs to no connection: one from before a restart, or noise.
      replies.resetStateless(header, triggeredBy: datagram.count, on: path, at: now)
    } else {
      accept(datagram, bytes, on: path, ecn: ecn, at: now)
    }
  }

  private func accept(
    _ datagram: UnsafeRawBufferPointer, _ bytes: UnsafePointer<UInt8>, on path: NetworkPath,
    ecn: ECNCodepoint, at now: Timestamp
  ) {
    var initial = ngtcp2_pkt_hd()
    guard ngtcp2_accept(&initial, bytes, datagram.count) == 0 else { return }
    guard !isGoingAway, admission != nil || liveCount < configuration.maximumConnections else {
      replies.refuse(initial, .connectionRefused, on: path)
      return
    }
    let key = ConnectionKey(rawValue: nextKey)
    let verdict = secrets.validation.verdict(on: initial, from: path, at: now, random: random)
    switch verdict {
    case .refused:
      replies.refuse(initial, .invalidToken, on: path)
      return
    case .notValidated where isRetryDue || admission?.takesUnproven(from: path.remote) == false:
      replies.retry(initial, secrets.validation, on: path, at: now)
      return
    case .notValidated: break
    case .validatedByRetry, .validatedByNewToken:
      guard admission?.admit(key, from: path.remote) ?? true else {
        replies.refuse(initial, .connectionRefused, on: path)
        return
      }
    }
    guard
      let connection = try? HTTP3Connection.server(
        configuration.drawn(random), initial: initial, verdict, secrets, forged: forgedParameter, path: path, at: now,
        random: random)
    else {
      admission?.withdraw(key)
      return
    }
    connection.receive(datagram, on: path, ecn: ecn, at: now)
    if case .over(let isRetryDue) = connection.lifetime.phase {
      admission?.withdraw(key)
      // No connection resulted: the packet cannot be opened, or it holds a later part of the ClientHello alone, which
      // is kept for validated addresses only.
      if isRetryDue { replies.retry(initial, secrets.validation, on: path, at: now) }
      return
    }
    nextKey += UInt64(configuration.place?.steering.loopCount ?? 1)
    newestConnection = key
    connections[key] = connection
    routesOfConnection[key] = ConnectionRoutes()
    handshakes.insert(key)
    // At once, since the next datagram of the same turn may be this client's too.
    settleRoutes(connection, key)
    touch(key)
  }

  package func handleTimeout(at now: Timestamp) {
    while let key = deadlines.popDue(at: now).map(ConnectionKey.init(rawValue:)) {
      guard let connection = connections[key] else { continue }
      connection.handleTimeout(at: now)
      touch(key)
    }
  }

  /// Writes the next batch of any connection; answers false when there is nothing to send now.
  package func fill(_ batch: inout DatagramBatch, at now: Timestamp) -> Bool {
    filledReply = replies.fill(&batch)
    guard filledReply == nil else { return true }
    while let key = touched.popFirst() {
      isTouched.remove(key)
      guard let connection = connections[key] else { continue }
      let hasMore = connection.fill(&batch, at: now)
      settle(connection, key)
      if hasMore {
        // Back in line behind the others, so that one busy connection does not starve them.
        if batch.mayHaveMore { touch(key) }
        return true
      }
    }
    return false
  }

  /// The time at which ``handleTimeout(at:)`` is due next. Exact once ``fill(_:at:)`` has answered false.
  package var deadline: Timestamp? { deadlines.earliest }

  package func nextEvent() -> (ConnectionKey, HTTP3Event)? { events.popFirst() }

  /// Has ``nextEvent()`` answer before the next write pass with what the datagrams since the last one have brought: what comes of
  /// it, such as a response, may then leave together with the acknowledgement.
  package func gatherEvents() {
    touched.forEach { if let connection = connections[$0] { gatherEvents(of: connection, $0) } }
  }

  private func gatherEvents(of connection: HTTP3Connection, _ key: ConnectionKey) {
    while let event = connection.nextEvent() { events.append((key, event)) }
  }

  /// Takes what the connections' traces recorded since the last call, for each that has something; see
  /// ``HTTP3Connection/takeQlog()``.
  package func takeQlog() -> [(ConnectionKey, QlogOutput)] {
    defer { traces = [:] }
    return traces.compactMap { key, trace in trace.take(isLast: connections[key] == nil).map { (key, $0) } }
  }

  /// Refuses new connections and lets the others finish their requests.
  package func goAway() {
    isGoingAway = true
    for (key, connection) in connections {
      connection.goAway()
      touch(key)
    }
  }

  /// Reports which requests were processed, where ``closeAll(_:reason:at:)`` follows at once (RFC 9114 § 5.2).
  package func finishGoingAway() {
    isGoingAway = true
    for (key, connection) in connections {
      connection.finishGoingAway()
      touch(key)
    }
  }

  package func closeAll(_ code: ApplicationErrorCode, reason: String, at now: Timestamp) {
    isGoingAway = true
    for (key, connection) in connections {
      connection.close(code, reason: reason, at: now)
      touch(key)
    }
  }

  private func isSpoken(_ version: UInt32) -> Bool {
    configuration.connection.versions.contains { $0.rawValue == version }
  }

  private var isRetryDue: Bool { configuration.addressValidation.isDue(during: handshakes.count) }

  private func touch(_ key: ConnectionKey) {
    if isTouched.insert(key).inserted { touched.append(key) }
  }

  /// Takes over what a connection reports after it was used: ids, events, deadline, end.
  private func settle(_ connection: HTTP3Connection, _ key: ConnectionKey) {
    settleRoutes(connection, key)
    // One that failed takes its place for as long as others: anybody can begin one in anybody's name.
    if connection.handshake != nil { handshakes.remove(key) }
    gatherEvents(of: connection, key)
    // Twice as many as there can be connections, should nobody take what those that ended have left.
    if let trace = connection.qlog, traces.count < 2 * configuration.maximumConnections { traces[key] = trace }
    switch connection.lifetime.phase {
    case .active: deadlines.set(connection.deadline, for: key.rawValue)
    case .closing, .draining:
      deadlines.set(connection.deadline, for: key.rawValue)
      linger(connection, key)
    case .over: forget(key)
    }
  }

  /// Keeps a closed connection for its stray packets. Beyond the limit the oldest one is forgotten: who sends to it gets
  /// a stateless reset, which ends the connection too.
  private func linger(_ connection: HTTP3Connection, _ key: ConnectionKey) {
    connection.dropBodies()
    guard lingering.insert(key).inserted, lingering.count > Self.lingeringLimit,
      let oldest = lingering.min(by: { $0.rawValue < $1.rawValue })
    else { return }
    forget(oldest)
  }

  private func forget(_ key: ConnectionKey) {
    for id in routesOfConnection.removeValue(forKey: key)?.all ?? [] where routes[id] == key { routes[id] = nil }
    connections[key] = nil
    lingering.remove(key)
    handshakes.remove(key)
    deadlines.set(nil, for: key.rawValue)
  }

  private func settleRoutes(_ connection: HTTP3Connection, _ key: ConnectionKey) {
    while let change = connection.takeConnectionIDChange() {
      switch change {
      case .added(let id):
        routes[id] = key
        routesOfConnection[key]?.add(id)
      case .removed(let id):
        guard let old = routesOfConnection[key]?.retire(id), routes[old] == key else { continue }
        routes[old] = nil
      }
    }
  }
}
