import Foundation
import HTTP3Engine
import HTTPTypes
import Logging
import Synchronization

/// One connection to a server: joins an engine to its socket, and its streams to the tasks that wait for them; lives on
/// one event loop.
actor HTTP3ClientConnection: LoopActor {
  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
  /// Whether a new request may be sent: after the handshake, and before the first sign of an end.
  nonisolated let isUsable = Atomic<Bool>(false)
  nonisolated let credit: CreditLedger<StreamID>
  var takenCredit: [StreamID: Int] = [:]
  /// Whether safe requests may be sent before the handshake is complete.
  nonisolated let takesEarlyData: Bool

  let engine: HTTP3Connection
  let configuration: HTTP3TransportConfiguration
  let logger: Logger
  let established = OneShot<ConnectionInfo>()
  var info: ConnectionInfo?
  var streams: [StreamID: ClientStream] = [:]
  var readers: WaitingReaders
  /// Requests whose response has not begun.
  var awaited: Set<StreamID> = [] {
    didSet { updateAttention() }
  }
  /// Whether something is awaited on open responses.
  var isAttentive = false {
    didSet { updateAttention() }
  }
  /// Who waits for a suspect path to answer.
  var recoveries: [OneShot<Void>] = []
  /// Told of the path on the loop.
  let watch: @Sendable (HTTP3ClientConnection, PathNews) -> Void
  var waiters = RequestQueue()
  var isGoingAway = false
  /// Who waits for a reason to go elsewhere.
  var departures: [OneShot<Departure>] = []
  /// The server answered a request.
  var hasResponded = false
  /// The connection failed for what the next one does without: marks of ECN, or a ticket.
  var isWorthAnother = false
  let usesECN: Bool
  /// Why the connection ended, once it has.
  private(set) var failure: TransportError?

  /// The server's address.
  let remote: NetworkAddress
  let startedAt: Timestamp
  let nameLookup: Duration
  let memory: ServerMemory
  var traffic: TrafficMeter
  /// Whether it was counted as opened.
  var isCounted = false
  private let qlog: QlogDirectory?
  private let qlogFile: QlogFile?
  let network: LocalNetwork
  let sockets: ClientSockets
  var migration = ClientMigration()
  private var suspension: EventLoop.Registration?
  private var timer: LoopTimer?
  private var writing: LoopPass?
  private var retryTimer: LoopTimer?
  var readTimer: LoopTimer?
  /// ICMP refusals since the last datagram that came.
  private var refusals = 0
  /// After this many in a row an established connection counts as lost: one alone is too easily forged.
  private static let refusalLimit = 3

  /// Throws ``SystemError`` when the address cannot be reached from here at all, ``HTTP3Error`` for a fault within.
  init(
    to address: NetworkAddress, _ client: ClientConfiguration, configuration: HTTP3TransportConfiguration,
    memory: ServerMemory, metrics: ProtocolMetrics, loop: EventLoop, logger: Logger, qlog: QlogDirectory?,
    nameLookup: Duration = .zero, network: LocalNetwork = .system,
    watch: @escaping @Sendable (HTTP3ClientConnection, PathNews) -> Void = { _, _ in }
  ) throws {
    traffic = TrafficMeter(metrics)
    self.loop = loop
    self.configuration = configuration
    credit = CreditLedger(window: configuration.receiveWindow)
    readers = WaitingReaders(pause: .microseconds(500), mostBytes: min(256 << 10, configuration.receiveWindow / 4))
    self.logger = logger
    self.memory = memory
    self.watch = watch
    self.nameLookup = nameLookup
    self.qlog = qlog
    qlogFile = qlog?.makeFile()
    self.network = network
    let socket = try network.connect(address)
    sockets = ClientSockets(socket, on: loop)
    remote = address
    let path = NetworkPath(local: socket.localAddress, remote: address)
    startedAt = loop.now
    engine = try HTTP3Connection.client(client, path: path, at: startedAt, random: RandomSource())
    takesEarlyData = engine.isSendingEarlyData
    usesECN = client.connection.usesECN
  }

  /// Starts the handshake and returns at its end. Throws ``TransportError``. Called once.
  func establish() async throws -> ConnectionInfo {
    if let failure { throw failure }
    try sockets.start { [weak self] address, ready in
      self?.onItsLoop((address, ready)) { $0.socketIsReady($1.0, $1.1) }
    }
    suspension = loop.addSuspensionHandler { [weak self] duration in
      self?.onItsLoop(duration) { $0.machineWasSuspended(for: $1) }
    }
    timer = LoopTimer(loop) { [weak self] in self?.onItsLoop { $0.deadlinePassed() } }
    retryTimer = LoopTimer(loop) { [weak self] in self?.onItsLoop { $0.sendPending() } }
    readTimer = LoopTimer(loop) { [weak self] in self?.onItsLoop { $0.wakeReaders() } }
    writing = LoopPass(loop) { [weak self] in self?.onItsLoop { $0.writePass() } }
    watchNetwork()
    pass()
    return try await established.value()
  }

  var wasEstablished: Bool { info != nil }

  func currentInfo() throws(TransportError) -> ConnectionInfo {
    if let info { return info }
    throw failure ?? TransportError(.connectionLost, "The connection to \(remote) is not established.")
  }

  /// Sends with new keys from now on (RFC 9001 § 6); false where that is not allowed yet, see
  /// ``HTTP3Connection/updateKeys(at:)``.
  func updateKeys() -> Bool {
    guard failure == nil, engine.updateKeys(at: loop.now) else { return false }
    pass()
    return true
  }

  /// Takes no new request, and closes when the last one that runs has ended.
  func retire() {
    guard failure == nil else { return }
    leave()
    pass()
  }

  /// Tells the server goodbye and fails what is in flight.
  func close(_ reason: TransportError) {
    guard failure == nil else { return }
    // First of all, since the engine's own words for it would be less to the point.
    failStreams(reason)
    engine.close(.noError, reason: "", at: loop.now)
    flush()
    end(reason)
  }

  /// Runs `body` on the loop; from any thread, in the order of the calls.
  nonisolated func onLoop(_ body: @escaping @Sendable (isolated HTTP3ClientConnection) -> Void) {
    loop.execute { self.onItsLoop(body) }
  }

  // MARK: The loop's calls

  private func socketIsReady(_ address: NetworkAddress, _ ready: Readiness) {
    if ready.contains(.writable) { sendPending() }
    guard failure == nil else { return }
    let now = loop.now
    var hasReceived = false
    let outcome = sockets.receive(on: address) { bytes, path, ecn in
      hasReceived = true
      engine.receive(bytes, on: path, ecn: ecn, at: now)
    }
    if hasReceived { refusals = 0 }
    takeCredit()
    if case .failed(let error) = outcome { meet(error, at: address) }
    pass()
  }

  private func deadlinePassed() {
    engine.handleTimeout(at: loop.now)
    pass()
  }

  /// What has come goes to those who wait for it; there is a write pass at the end of the loop's turn.
  func pass() {
    guard failure == nil else { return }
    // At the end the last packet leaves first, as nothing is sent once the end was told.
    if !engine.isClosed { _ = deliverEvents() }
    writing?.request()
  }

  /// One write pass, and again as long as events lead to orders.
  func writePass() {
    guard failure == nil else { return }
    repeat { flush() } while deliverEvents()
    guard failure == nil else { return }
    writeQlog()
    if isGoingAway, streams.isEmpty {
      close(TransportError(.connectionLost, "The server is going away."))
    } else {
      // While the socket is blocked, a pacing deadline would pass again and again.
      timer?.set(isHeldUp ? engine.deadline.map { max($0, loop.now + .milliseconds(1)) } : engine.deadline)
    }
  }

  private func flush() {
    guard failure == nil else { return }
    // The last packet leaves while there is a socket; what was held back before it is of no use to anybody.
    if engine.isClosed { sockets.dropPending() }
    guard !isHeldUp else { return }
    while engine.fill(&loop.batch, at: loop.now) {
      let address = loop.batch.path.local
      switch sockets.send(loop.batch) {
      case .done: break
      case .blocked(let retryAfter):
        waitToSend(retryAfter, at: address)
        if isHeldUp { return }
      case .failed(let error):
        meet(error, at: address)
        guard failure == nil else { return }
      }
      guard loop.batch.mayHaveMore else { return }
    }
  }

  private func sendPending() {
    guard failure == nil, sockets.isBlocked else { return }
    for address in sockets.blocked {
      switch sockets.sendPending(on: address) {
      case .done: break
      case .blocked(let retryAfter):
        waitToSend(retryAfter, at: address)
        continue
      case .failed(let error): meet(error, at: address)
      }
      guard failure == nil else { return }
      sockets.setInterest([.readable], on: address)
    }
    pass()
  }

  private func waitToSend(_ retryAfter: Duration?, at address: NetworkAddress) {
    if let retryAfter {
      retryTimer?.set(loop.now + retryAfter)
    } else {
      sockets.setInterest([.readable, .writable], on: address)
    }
  }

  /// What the system says of the path: the end while connecting, so that another way is tried at once; later a rumour,
  /// which QUIC's own time-outs decide on, unless refusals repeat with nothing received between them.
  private func meet(_ error: SystemError, at address: NetworkAddress) {
    let reason = TransportError(error, sendingTo: remote)
    if info == nil { return end(reason) }
    if hintsAtChange(error) { loop.networkMonitor.suspectChange() }
    guard error.number == ECONNREFUSED, address == engine.currentPath?.local else { return }
    refusals += 1
    guard refusals >= Self.refusalLimit else { return }
    end(TransportError(.connectionLost, "The server at \(remote) is gone.", cause: error))
  }

  private func writeQlog() {
    guard let qlog, qlog.hasRoom, let output = engine.takeQlog() else { return }
    qlogFile?.append(output)
  }

  private func deliverEvents() -> Bool {
    var hasEvents = false
    while failure == nil, let event = engine.nextEvent() {
      hasEvents = true
      handle(event)
    }
    wakeReaders()
    return hasEvents
  }

  private func failStreams(_ reason: TransportError) {
    for stream in streams.values { stream.fail(reason) }
    streams = [:]
    awaited = []
    waiters.fail(UnsentRequest(reason: reason))
  }

  /// The last step of every end.
  func end(_ reason: TransportError) {
    guard failure == nil else { return }
    if isSuspect { watch(self, .gone) }
    failure = reason
    isUsable.store(false, ordering: .relaxed)
    established.answer(.failure(reason))
    failStreams(reason)
    endRecovery(.failure(reason))
    endDepartures(.failure(reason))
    recordEnd(reason)
    if info != nil, let roundTrip = engine.statistics.smoothedRoundTrip { memory.setRoundTrip(roundTrip) }
    writeQlog()
    stopWatchingNetwork()
    if let suspension { loop.removeSuspensionHandler(suspension) }
    sockets.closeAll()
    for timer in [timer, retryTimer, readTimer] { timer?.cancel() }
    logger.debug("connection closed", metadata: ["remote": "\(remote)", "reason": "\(reason)"])
  }
}
