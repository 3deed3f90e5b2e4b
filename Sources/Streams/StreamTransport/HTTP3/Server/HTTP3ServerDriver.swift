import HTTP3Engine
import HTTPTypes
import Logging

/// Joins an endpoint to its socket, and its streams to the tasks that answer them; lives on one event loop.
actor HTTP3ServerDriver: LoopActor {
  typealias Handler = @Sendable (HTTP3ServerExchange) async -> Void

  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
  nonisolated let port: Int
  nonisolated let credentials: ServerCredentials

  let endpoint: HTTP3ServerEndpoint
  let handler: Handler
  /// Runs handlers; nil for the process's own pool.
  let handlerExecutor: LoopTaskExecutor?
  /// Hears of requests that are answered here; nil where nobody listens.
  let refused: (@Sendable (HTTP3ServerRefusal) -> Void)?
  let logger: Logger
  let metrics: ServerMetrics
  var connections = ServerConnections()
  var bodies = BodyDelivery<ExchangePlace>(
    window: Int(clamping: ConnectionConfiguration().streamWindow), readers: WaitingReaders(pause: .zero, mostBytes: 0))
  /// Exchanges whose stream is not closed.
  var exchanges = StreamTable<ExchangeRecord>()
  /// Requests and responses that stand still.
  var stalls: StallWatch
  let share: ServerShare
  let admission: RequestAdmission
  private var tallies = ServerTallies()
  private var qlog: ServerQlog?
  private let sockets: ServerSockets
  /// Nil until the server listens.
  private var alarms: ServerAlarms?
  private var draining = ServerDrain()

  init(
    _ configuration: HTTP3ServerConfiguration, secrets: StartingSecrets, address: NetworkAddress,
    preferred: [NetworkAddress], loop: EventLoop,
    logger: Logger, metrics: ServerMetrics, refused: (@Sendable (HTTP3ServerRefusal) -> Void)?,
    handler: @escaping Handler
  ) throws {
    self.loop = loop
    self.logger = logger
    self.metrics = metrics
    self.refused = refused
    self.handler = handler
    handlerExecutor = configuration.options.runsHandlersOnReceivingThread ? LoopTaskExecutor(loop) : nil
    let identities: [LoadedCredentials] = try configuration.identities.load(logger)
    credentials = try ServerCredentials(identities, clients: try configuration.clientCertificates?.load())
    var server = ServerConfiguration(credentials: credentials)
    server.secrets = secrets.secrets
    let clock = configuration.clock
    if !secrets.secrets.isEmpty { server.secondsSince1970 = { clock.secondsSince1970 } }
    server.takesEarlyData = secrets.takesEarlyData
    server.earlyDataMemory = configuration.options.earlyDataMemory
    if configuration.options.alwaysValidatesAddresses { server.addressValidation = .always }
    let limits = configuration.limits
    // The endpoint's own bounds traces alone, as the share admits connections.
    server.maximumConnections = min(max(limits.maximumConnections, 1), 1 << 20)
    server.connection.maximumRequests = UInt64(clamping: limits.maximumRequestsPerConnection)
    server.connection.maximumFieldSectionSize = limits.maximumFieldSectionSize
    server.connection.idleTimeout = limits.idleTimeout
    server.connection.handshakeTimeout = limits.handshakeTimeout
    stalls = StallWatch(limits)
    share = ServerShare(of: configuration.load ?? HTTP3ServerLoad(limits), metrics: metrics)
    server.changesVersion = configuration.options.prefersQUICVersion2
    server.connection.cipherSuites = configuration.options.cipherSuites
    server.connection.mapping = configuration.options.mapping
    server.connection.initialRoundTrip =
      configuration.options.initialRoundTrip ?? server.connection.initialRoundTrip
    let options = configuration.options
    server.connection.repeats = options.repeatedResponses.forEngine.map {
      RepeatConfiguration(
        responses: $0, isAdaptive: options.repeatsAfterLossAlone, allowsHedging: options.sendsHedges)
    }
    if let file = configuration.options.keyLogFile {
      let keyLog = try KeyLog(path: file)
      server.keyLog = { keyLog.append($0) }
    }
    let sampling = configuration.options.qlogSampling
    qlog = configuration.options.qlogDirectory.map {
      ServerQlog(QlogDirectory(path: $0, keeping: sampling.retention, logger: logger))
    }
    server.connection.qlog = qlog?.directory.configuration
    server.tracesOneOf = sampling.oneOf
    admission = RequestAdmission(
      targets: configuration.options.mapping == .http3 ? TargetRules(authorities: configuration.authorities) : nil,
      maximumRequests: limits.maximumRequestsPerConnection)
    let socket = try configuration.socket.map { try UDPSocket(adopting: try $0.take(.udp)) }
    sockets = try ServerSockets(socket ?? UDPSocket(bindingTo: address), preferred: preferred, on: loop)
    port = Int(sockets.address.port)
    server.resetSecret = StatelessResetKey.bytes(
      privateKeyPEM: configuration.identities.first?.privateKeyPEM ?? "", address: sockets.address)
    server.preferredAddresses = sockets.preferredAddresses
    server.leavesNewcomers = configuration.socket != nil
    endpoint = HTTP3ServerEndpoint(server, random: RandomSource(configuration.random))
  }

  static func address(of connection: HTTP3Connection) -> String {
    connection.remoteAddress?.description ?? "unknown"
  }

  /// Early data comes by a resumed session alone, and before its handshake is complete.
  func isResumed(_ place: ExchangePlace, on connection: HTTP3Connection) -> Bool {
    connections.isResumed(place.connection) ?? connection.arrivedEarly(place.stream)
  }

  /// Starts to listen.
  func open() throws {
    share.join { [weak self] order in self?.onLoop { $0.carryOut(order) } }
    endpoint.admission = share
    try sockets.start { [weak self] index, ready in
      self?.assumeOnLoop((index, ready)) { $0.socketIsReady($1.0, $1.1) }
    }
    alarms = ServerAlarms(
      deadline: LoopTimer(loop) { [weak self] in self?.assumeOnLoop { $0.deadlinePassed() } },
      retry: LoopTimer(loop) { [weak self] in self?.assumeOnLoop { $0.sendPending() } },
      drain: LoopTimer(loop) { [weak self] in self?.assumeOnLoop { $0.draining.timePassed() } },
      pass: LoopPass(loop) { [weak self] in self?.assumeOnLoop { $0.writePass() } })
  }

  /// Lets running requests finish, for at most `limit`, and then closes.
  func drain(within limit: Duration) async {
    guard !draining.isClosed else { return }
    goAway()
    if !exchanges.isEmpty {
      alarms?.drain.set(loop.now + limit)
      await withCheckedContinuation { draining.wait($0, isIdle: exchanges.isEmpty) }
    }
    close()
  }

  func goAway() {
    guard !draining.isClosed else { return }
    endpoint.goAway()
    pass()
  }

  /// Closes all connections and stops to listen.
  func close() {
    guard draining.close() else { return }
    endpoint.finishGoingAway()
    flush()
    endpoint.closeAll(.noError, reason: "The server is shutting down.", at: loop.now)
    // What was held back before the connections' last packets is of no use to anybody.
    sockets.dropPending()
    writePass()
    for place in exchanges.places {
      fail(place, TransportError(.connectionLost, "The server was shut down."))
    }
    countKernelDrops()
    share.leave()
    sockets.closeAll()
    alarms?.cancel()
    qlog?.close()
  }

  /// Returns when the traces of all connections until now are written.
  func flushQlog() async {
    await qlog?.directory.flush()
  }

  // MARK: Secrets

  func use(secrets: [[UInt8]]) { endpoint.use(secrets: secrets) }

  func beginEarlyData() throws(HTTP3Error) { try endpoint.beginEarlyData() }

  // MARK: The loop's calls

  private func socketIsReady(_ index: Int, _ ready: Readiness) {
    if ready.contains(.writable) { sendPending() }
    let now = loop.now
    var (packets, byteCount) = (0, 0)
    // Errors that the kernel keeps for an unconnected socket belong to one client's path: its time-out will tell.
    _ = sockets.receive(at: index) { bytes, path, ecn in
      packets += 1
      byteCount += bytes.count
      endpoint.receive(bytes, on: path, ecn: ecn, at: now)
    }
    if packets > 0 { metrics.received(packets: packets, bytes: byteCount) }
    if let count = tallies.newRefusals(endpoint.unrememberedHandshakes) { metrics.earlyDataRefused(count) }
    if tallies.isLookAtDropsDue(at: now) { countKernelDrops() }
    takeCredit()
    // Before the write pass, so that handlers begin meanwhile, or on this thread before it.
    endpoint.gatherEvents()
    _ = deliverEvents()
    pass()
  }

  private func countKernelDrops() {
    let count = sockets.takeKernelDrops()
    if count > 0 { metrics.kernelDropped(count) }
  }

  private func deadlinePassed() {
    endpoint.handleTimeout(at: loop.now)
    endStalled()
    pass()
  }

  /// Asks for a write pass at the end of the loop's turn.
  func pass() {
    alarms?.pass.request()
  }

  /// One write pass, with which the endpoint reports what has come, and again as long as events lead to orders.
  private func writePass() {
    repeat { flush() } while deliverEvents()
    let due = endpoint.deadline
    let look = stalls.earliest
    alarms?.deadline.set(due.map { min($0, look ?? $0) } ?? look)
    qlog?.write { endpoint.takeQlog() }
    if exchanges.isEmpty { draining.becameIdle() }
  }

  func flush() {
    while !sockets.isBlocked, endpoint.fill(&loop.batch, at: loop.now) {
      metrics.sent(loop.batch, endpoint.filledReply)
      if let wait = sockets.send(loop.batch) { alarms?.retry.set(loop.now + wait) }
    }
  }

  private func sendPending() {
    guard sockets.isBlocked else { return }
    if let wait = sockets.sendPending() { alarms?.retry.set(loop.now + wait) }
    if !sockets.isBlocked { pass() }
  }

  private func deliverEvents() -> Bool {
    var hasEvents = false
    while let (key, event) = endpoint.nextEvent() {
      hasEvents = true
      handle(event, of: key)
    }
    if hasEvents { countHalfOpen() }
    _ = bodies.wakeReaders(at: loop.now)
    return hasEvents
  }
}
