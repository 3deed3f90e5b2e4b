import HTTP3Engine
import HTTPTypes
import Logging

/// One loop of a server: joins an endpoint to its sockets, and its streams to the tasks that answer them.
actor HTTP3ServerDriver: LoopActor {
  typealias Handler = @Sendable (HTTP3ServerExchange) async -> Void

  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
  /// The address at which clients begin, and then those at which they are to continue.
  nonisolated let addresses: [NetworkAddress]

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
  /// Nil for the only loop of a server.
  private let neighbours: LoopNeighbours?
  /// Nil until the server listens.
  private var alarms: ServerAlarms?
  private var draining = ServerDrain()

  /// Binds the sockets, but for one that was given.
  init(
    _ setup: ServerSetup, on loop: EventLoop, neighbours: LoopNeighbours?, at addresses: [NetworkAddress]
  ) throws {
    self.loop = loop
    self.neighbours = neighbours
    logger = setup.logger
    metrics = setup.metrics
    refused = setup.refused
    handler = setup.handler
    let configuration = setup.configuration
    handlerExecutor = configuration.options.runsHandlersOnReceivingThread ? LoopTaskExecutor(loop) : nil
    stalls = StallWatch(configuration.limits)
    share = ServerShare(of: setup.load, metrics: setup.metrics)
    qlog = setup.qlog.map { ServerQlog($0) }
    admission = RequestAdmission(
      targets: configuration.options.mapping == .http3 ? TargetRules(authorities: configuration.authorities) : nil,
      maximumRequests: configuration.limits.maximumRequestsPerConnection)
    let given = try configuration.socket.map { try UDPSocket(adopting: try $0.take(.udp)) }
    let sockets = try ServerSockets(given, bindingTo: addresses, for: neighbours?.place, on: loop)
    // Those of the other loops are the same, and so is the key of stateless resets.
    let bound = sockets.addresses
    self.sockets = sockets
    self.addresses = bound
    var engine = setup.engine
    engine.resetSecret = StatelessResetKey.bytes(
      privateKeyPEM: configuration.identities.first?.privateKeyPEM ?? "", address: bound[0])
    engine.preferredAddresses = Array(bound.dropFirst())
    engine.place = neighbours?.place
    endpoint = HTTP3ServerEndpoint(engine, random: RandomSource(configuration.random), common: setup.secrets)
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
    neighbours?.box.open { [weak self] in self?.onLoop { $0.takeHandedOn() } }
  }

  /// Takes no more requests, and returns when those that run have finished, or after `limit`.
  func finishExchanges(within limit: Duration) async {
    guard !draining.isClosed else { return }
    goAway()
    guard !exchanges.isEmpty else { return }
    alarms?.drain.set(loop.now + limit)
    await withCheckedContinuation { draining.wait($0, isIdle: exchanges.isEmpty) }
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
    neighbours?.box.close()
    sockets.closeAll()
    alarms?.cancel()
    qlog?.close()
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
      if isForThisLoop(bytes, path, ecn) { endpoint.receive(bytes, on: path, ecn: ecn, at: now) }
    }
    if packets > 0 { metrics.received(packets: packets, bytes: byteCount) }
    if tallies.isLookAtDropsDue(at: now) { countKernelDrops() }
    didReceive()
  }

  /// Hands a datagram on if it is for another loop.
  private func isForThisLoop(_ bytes: UnsafeRawBufferPointer, _ path: NetworkPath, _ ecn: ECNCodepoint) -> Bool {
    guard let outcome = neighbours?.handOn(bytes, path, ecn), outcome != .kept else { return true }
    metrics.handedOn(outcome)
    return false
  }

  /// Takes what came to the sockets of other loops and is for this one.
  private func takeHandedOn() {
    guard let waiting = neighbours?.box.takeAll(), !waiting.isEmpty else { return }
    let now = loop.now
    for datagram in waiting {
      datagram.bytes.withUnsafeBytes { endpoint.receive($0, on: datagram.path, ecn: datagram.ecn, at: now) }
    }
    didReceive()
  }

  /// Does what the datagrams that the endpoint was given lead to.
  private func didReceive() {
    if let count = tallies.newRefusals(endpoint.unrememberedHandshakes) { metrics.earlyDataRefused(count) }
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
