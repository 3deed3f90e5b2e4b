import HTTP3Engine
import Logging
import Synchronization

/// One connection to a server: joins an engine to its sockets, and its streams to the tasks that wait for them; lives on
/// one event loop.
actor HTTP3ClientConnection: LoopActor {
  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
  /// Whether a new request may be sent: after the handshake, while the path answers, and before the first sign of an end.
  nonisolated let isUsable = Atomic<Bool>(false)
  /// Whether safe requests may be sent before the handshake is complete.
  nonisolated let takesEarlyData: Bool

  let engine: HTTP3Connection
  let configuration: HTTP3TransportConfiguration
  let logger: Logger
  let memory: ServerMemory
  let flow: DatagramFlow
  let paths: ClientPaths
  var life: ConnectionLife
  var streams = ClientStreams() {
    didSet { engine.setResponseExpected(streams.isResponseExpected) }
  }
  var queue = RequestQueue()
  var bodies: BodyDelivery<StreamID>
  var waiters = ConnectionWaiters()
  /// Receives news of the path, on the loop.
  let watch: @Sendable (HTTP3ClientConnection, PathHealth) -> Void
  var doubt: ConnectionDoubt
  private(set) var attachment: LoopAttachment?
  private let sockets: ClientSockets
  private var meter: ConnectionMeter
  private let qlog: QlogFile?

  /// Throws ``SystemError`` when the address cannot be reached from here at all, ``HTTP3Error`` for a fault within.
  init(
    to address: NetworkAddress, _ client: ClientConfiguration, configuration: HTTP3TransportConfiguration,
    memory: ServerMemory, metrics: ProtocolMetrics, loop: EventLoop, logger: Logger, qlog: QlogDirectory?,
    nameLookup: Duration = .zero, network: LocalNetwork = .system, random: TransportRandom = .system,
    watch: @escaping @Sendable (HTTP3ClientConnection, PathHealth) -> Void = { _, _ in }
  ) throws {
    self.loop = loop
    self.configuration = configuration
    self.logger = logger
    self.memory = memory
    self.watch = watch
    self.qlog = qlog?.makeFile()
    meter = ConnectionMeter(metrics)
    bodies = BodyDelivery<StreamID>(responsesOf: configuration.receiveWindow)
    doubt = ConnectionDoubt(usesECN: client.connection.usesECN)
    sockets = try ClientSockets(to: address, network: network, on: loop)
    let now = loop.now
    life = ConnectionLife(to: address, at: now, nameLookup: nameLookup)
    let path = NetworkPath(local: sockets.firstAddress, remote: address)
    engine = try HTTP3Connection.client(client, path: path, at: now, random: RandomSource(random))
    flow = DatagramFlow(engine, sockets, to: address, on: loop)
    paths = ClientPaths(engine, sockets, to: address, on: loop, logger: logger)
    takesEarlyData = engine.isSendingEarlyData
  }

  /// Starts the handshake and returns at its end. Throws ``TransportError``. Called once.
  func establish() async throws -> ConnectionInfo {
    if let failure { throw failure }
    try sockets.start { [weak self] address, ready in
      self?.assumeOnLoop((address, ready)) { $0.socketIsReady($1.0, $1.1) }
    }
    let attachment = LoopAttachment(loop) { [weak self] wake in self?.assumeOnLoop(wake) { $0.wake($1) } }
    self.attachment = attachment
    flow.attach(attachment)
    paths.attach(attachment)
    pass()
    return try await life.handshakeEnd.value()
  }

  /// The result of the handshake; nil before it.
  var info: ConnectionInfo? { life.info }
  /// The reason for the connection's end, once it has ended.
  var failure: TransportError? { life.failure }
  var isLive: Bool { life.isLive }
  /// Whether the next connection may do better, as it leaves out what this one failed for.
  var isWorthAnother: Bool { doubt.isWorthAnother }

  func currentInfo() throws(TransportError) -> ConnectionInfo {
    if let info { return info }
    throw failure ?? TransportError(.connectionLost, "The connection to \(life.remote) is not established.")
  }

  /// Sends with new keys from now on (RFC 9001 § 6); false where that is not allowed yet, see
  /// ``HTTP3Connection/updateKeys(at:)``.
  func updateKeys() -> Bool {
    guard isLive, engine.updateKeys(at: loop.now) else { return false }
    pass()
    return true
  }

  /// Runs `body` on the loop; from any thread, in the order of the calls.
  nonisolated func onLoop(_ body: @escaping @Sendable (isolated HTTP3ClientConnection) -> Void) {
    loop.execute { self.assumeOnLoop(body) }
  }

  // MARK: The end

  /// Takes no new request, and closes when the last one that runs has ended.
  func retire() {
    guard isLive else { return }
    leave()
    pass()
  }

  /// Takes no new request; those that run are finished.
  func leave() {
    life.leave()
    isUsable.store(false, ordering: .relaxed)
    waiters.depart(.retirement)
    // There will be no more streams to wait for.
    queue.fail(UnsentRequest(reason: .leavingConnection))
  }

  /// Closes the connection for the server too, and fails what is in flight.
  func close(_ reason: TransportError) {
    guard isLive else { return }
    // First of all, since the engine's own words for it would be less to the point.
    failStreams(reason)
    engine.close(.noError, reason: "", at: loop.now)
    flush()
    end(reason)
  }

  /// The last step of every end.
  func end(_ reason: TransportError) {
    guard isLive else { return }
    if isSuspect { watch(self, .gone) }
    life.end(reason)
    isUsable.store(false, ordering: .relaxed)
    failStreams(reason)
    waiters.end(reason)
    meter.count(engine.statistics)
    meter.closed(reason)
    if info != nil, let roundTrip = engine.statistics.smoothedRoundTrip { memory.setRoundTrip(roundTrip) }
    writeQlog()
    attachment?.end()
    sockets.closeAll()
    logger.debug("connection closed", metadata: ["remote": "\(life.remote)", "reason": "\(reason)"])
  }

  private func failStreams(_ reason: TransportError) {
    for stream in streams.removeAll() { stream.fail(reason) }
    queue.fail(UnsentRequest(reason: reason))
  }

  // MARK: What is recorded

  func snapshot() -> ConnectionSnapshot? {
    guard let info else { return nil }
    let statistics = engine.statistics
    meter.count(statistics)
    var snapshot = ConnectionSnapshot(connection: info, roundTrip: statistics.smoothedRoundTrip)
    snapshot.minimumRoundTrip = statistics.minimumRoundTrip
    snapshot.congestionWindow = statistics.congestionWindow
    snapshot.packetsSent = statistics.datagramsSent
    snapshot.packetsReceived = statistics.datagramsReceived
    snapshot.bytesSent = statistics.bytesSent
    snapshot.bytesReceived = statistics.bytesReceived
    snapshot.localAddress = engine.currentPath?.local.description
    snapshot.migrations = paths.migrationCount
    return snapshot
  }

  /// Counts the connection as opened: it was chosen among those to all addresses.
  func countOpened() {
    guard isLive, let info else { return }
    meter.opened(info)
  }

  func writeQlog() {
    guard let qlog, qlog.hasRoom, let output = engine.takeQlog() else { return }
    qlog.append(output)
  }
}

extension TransportError {
  static var leavingConnection: TransportError {
    TransportError(
      .notProcessed, "The connection takes no more requests; this one may be sent again.",
      wireCode: ApplicationErrorCode.requestRejected.description)
  }

  static func superseded(by other: String) -> TransportError {
    TransportError(.superseded, "Nothing came over the connection any more; \(other) has taken its place.")
  }
}
