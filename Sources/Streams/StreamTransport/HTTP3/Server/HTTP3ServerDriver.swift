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
  /// Hears of requests that are answered here; nil where nobody listens.
  let refused: (@Sendable (HTTP3ServerRefusal) -> Void)?
  let logger: Logger
  let metrics: ServerMetrics
  /// Connections whose handshake is complete, and whether it resumed a session.
  var established: [ConnectionKey: Bool] = [:]
  var readers = WaitingReaders(pause: .zero, mostBytes: 0)
  nonisolated let credit = CreditLedger<ExchangePlace>(window: Int(clamping: ConnectionConfiguration().streamWindow))
  var takenCredit: [ExchangePlace: Int] = [:]
  /// Exchanges whose stream is not closed.
  var exchanges = StreamTable<ExchangeRecord>()
  /// Requests and responses that stand still.
  var stalls: StallWatch
  /// Nil until the server listens.
  var share: ServerShare?
  private let load: HTTP3ServerLoad
  /// Handlers that have not returned, also those whose stream is closed.
  var running: [ConnectionKey: Int] = [:]
  let handlersPerConnection: Int
  /// Nil where requests name a path alone.
  let targets: TargetRules?
  /// The endpoint's counters that the metrics have seen.
  private var countedRefusals: UInt64 = 0
  private var nextLookAtDrops = Timestamp(nanoseconds: 0)
  private let qlog: QlogDirectory?
  private var qlogFiles: [ConnectionKey: QlogFile] = [:]
  private let sockets: ServerSockets
  private var timer: LoopTimer?
  private var writing: LoopPass?
  private var retryTimer: LoopTimer?
  private var drainTimer: LoopTimer?
  private var isDrainOver = false
  private var drainWaiters: [CheckedContinuation<Void, Never>] = []
  private var isOver = false

  init(
    _ configuration: HTTP3ServerConfiguration, address: NetworkAddress, preferred: [NetworkAddress], loop: EventLoop,
    logger: Logger, metrics: ServerMetrics, refused: (@Sendable (HTTP3ServerRefusal) -> Void)?,
    handler: @escaping Handler
  ) throws {
    self.loop = loop
    self.logger = logger
    self.metrics = metrics
    self.refused = refused
    self.handler = handler
    credentials = try ServerCredentials(
      certificateChainPEM: Array(configuration.certificatePEM.utf8),
      privateKeyPEM: Array(configuration.privateKeyPEM.utf8))
    var server = ServerConfiguration(credentials: credentials)
    server.ticketSecret = try configuration.options.ticketSecretFile.map {
      try TicketSecret.load($0, configuration.random)
    }
    server.takesEarlyData = configuration.options.takesEarlyData
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
    load = configuration.load ?? HTTP3ServerLoad(limits)
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
    qlog = configuration.options.qlogDirectory.map { QlogDirectory(path: $0, logger: logger) }
    server.connection.qlog = qlog?.configuration
    targets =
      configuration.options.mapping == .http3 ? TargetRules(authorities: configuration.authorities) : nil
    handlersPerConnection = min(max(limits.maximumRequestsPerConnection, 1), 1 << 16) * 2
    sockets = try ServerSockets(bindingTo: address, preferred: preferred, on: loop)
    port = Int(sockets.address.port)
    server.resetSecret = StatelessResetKey.bytes(
      privateKeyPEM: configuration.privateKeyPEM, address: sockets.address)
    server.preferredAddresses = sockets.preferredAddresses
    endpoint = HTTP3ServerEndpoint(server, random: RandomSource(configuration.random))
  }

  static func address(of connection: HTTP3Connection) -> String {
    connection.remoteAddress?.description ?? "unknown"
  }

  /// Early data comes by a resumed session alone, and before its handshake is complete.
  func isResumed(_ place: ExchangePlace, on connection: HTTP3Connection) -> Bool {
    established[place.connection] ?? connection.arrivedEarly(place.stream)
  }

  /// Starts to listen.
  func open() throws {
    let share = ServerShare(of: load, metrics: metrics) { [weak self] order in self?.onLoop { $0.carryOut(order) } }
    endpoint.admission = share
    self.share = share
    try sockets.start { [weak self] index, ready in
      self?.assumeOnLoop((index, ready)) { $0.socketIsReady($1.0, $1.1) }
    }
    timer = LoopTimer(loop) { [weak self] in self?.assumeOnLoop { $0.deadlinePassed() } }
    retryTimer = LoopTimer(loop) { [weak self] in self?.assumeOnLoop { $0.sendPending() } }
    writing = LoopPass(loop) { [weak self] in self?.assumeOnLoop { $0.writePass() } }
    drainTimer = LoopTimer(loop) { [weak self] in self?.assumeOnLoop { $0.drainTimePassed() } }
  }

  /// Lets running requests finish, for at most `limit`, and then closes.
  func drain(within limit: Duration) async {
    guard !isOver else { return }
    goAway()
    if !exchanges.isEmpty {
      drainTimer?.set(loop.now + limit)
      await drained()
    }
    close()
  }

  func goAway() {
    guard !isOver else { return }
    endpoint.goAway()
    pass()
  }

  /// Waits for the last exchange, the limit or the server's end, of which each may have come before the continuation is
  /// there: a task may leave the loop even where it calls its own actor.
  private func drained() async {
    await withCheckedContinuation { waiter in
      if exchanges.isEmpty || isDrainOver || isOver { waiter.resume() } else { drainWaiters.append(waiter) }
    }
  }

  /// Closes all connections and stops to listen.
  func close() {
    guard !isOver else { return }
    isOver = true
    endpoint.finishGoingAway()
    flush()
    endpoint.closeAll(.noError, reason: "The server is shutting down.", at: loop.now)
    // What was held back before the connections' last packets is of no use to anybody.
    sockets.dropPending()
    writePass()
    for place in exchanges.places {
      fail(place, TransportError(.connectionLost, "The server was shut down."))
    }
    countKernelDrops(at: loop.now)
    share?.leave()
    sockets.closeAll()
    for timer in [timer, retryTimer, drainTimer] { timer?.cancel() }
    endDrain()
    qlogFiles = [:]
  }

  /// Returns when the traces of all connections until now are written.
  func flushQlog() async {
    await qlog?.flush()
  }

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
    countRefusals()
    if now >= nextLookAtDrops { countKernelDrops(at: now) }
    takeCredit()
    pass()
  }

  /// Asks the kernel, which is a system call, once a second at most.
  private func countKernelDrops(at now: Timestamp) {
    nextLookAtDrops = now + .seconds(1)
    let count = sockets.takeKernelDrops()
    if count > 0 { metrics.kernelDropped(count) }
  }

  private func countRefusals() {
    let count = endpoint.unrememberedHandshakes
    guard count > countedRefusals else { return }
    metrics.earlyDataRefused(count - countedRefusals)
    countedRefusals = count
  }

  private func deadlinePassed() {
    endpoint.handleTimeout(at: loop.now)
    endStalled()
    pass()
  }

  /// Asks for a write pass at the end of the loop's turn.
  func pass() {
    writing?.request()
  }

  /// One write pass, with which the endpoint reports what has come, and again as long as events lead to orders.
  private func writePass() {
    repeat { flush() } while deliverEvents()
    let due = endpoint.deadline
    let look = stalls.earliest
    timer?.set(due.map { min($0, look ?? $0) } ?? look)
    writeQlog()
    if exchanges.isEmpty { endDrain() }
  }

  private func writeQlog() {
    guard let qlog, qlog.hasRoom else { return }
    for (key, output) in endpoint.takeQlog() {
      let file = qlogFiles[key] ?? qlog.makeFile()
      qlogFiles[key] = output.isLast ? nil : file
      file.append(output)
    }
  }

  func flush() {
    while !sockets.isBlocked, endpoint.fill(&loop.batch, at: loop.now) {
      metrics.sent(loop.batch, endpoint.filledReply)
      if let wait = sockets.send(loop.batch) { retryTimer?.set(loop.now + wait) }
    }
  }

  private func sendPending() {
    guard sockets.isBlocked else { return }
    if let wait = sockets.sendPending() { retryTimer?.set(loop.now + wait) }
    if !sockets.isBlocked { pass() }
  }

  private func deliverEvents() -> Bool {
    var hasEvents = false
    while let (key, event) = endpoint.nextEvent() {
      hasEvents = true
      handle(event, of: key)
    }
    if hasEvents { countHalfOpen() }
    _ = readers.wake(at: loop.now)
    return hasEvents
  }

  private func drainTimePassed() {
    isDrainOver = true
    endDrain()
  }

  private func endDrain() {
    let waiters = drainWaiters
    drainWaiters = []
    for waiter in waiters { waiter.resume() }
  }
}
