import HTTP3Engine
public import HTTPTypes
public import Logging
import Synchronization
package import TransportPolicy
import TransportRecords

/// HTTP/3 over our own QUIC engine: one connection for all requests, made again for the next one when it is lost.
///
/// The certificate's chain and name are verified before anything is delivered. There is no plaintext HTTP/3, so an
/// `http` origin is refused.
public final class HTTP3Transport: HTTPTransport {
  public let origin: Origin
  let configuration: HTTP3TransportConfiguration
  let connections = HTTP3Connections()
  let offers = EarlyOffers()
  let metrics: ProtocolMetrics
  private let tls: TLSOptions
  private let logger: Logger
  private let resolve: NameResolver.Resolve
  private let network: LocalNetwork
  let clock: TransportClock
  let random: TransportRandom
  private let opening = SharedAttempt<HTTP3ClientConnection>()
  private let memory: ServerMemory
  /// The destination of new connections in place of the origin.
  private let alternative = Mutex<AlternativeService?>(nil)
  private let qlog: QlogDirectory?
  let pinnedLoop = Mutex<EventLoop?>(nil)
  private let isResponseExpected = Atomic<Bool>(false)
  private let lookUps = Atomic<Int>(0)
  /// The observer of the current connection's path.
  let pathWatcher = Mutex<(@Sendable (PathHealth) -> Void)?>(nil)

  /// - Parameters:
  ///   - resumption: what is remembered of servers, and where; by default, and always with ``TLSOptions/identity``, as
  ///     long as this transport lives.
  ///   - metrics: where connections and requests are counted.
  public convenience init(
    origin: Origin, tls: TLSOptions, logger: Logger,
    configuration: HTTP3TransportConfiguration = HTTP3TransportConfiguration(),
    resumption: ResumptionStore = ResumptionStore(), metrics: TransportMetrics = TransportMetrics()
  ) {
    self.init(
      origin: origin, tls: tls, logger: logger, configuration: configuration, resumption: resumption, metrics: metrics,
      resolve: NameResolver.standard)
  }

  /// With a name resolution, a network, a clock and random numbers of the caller's own.
  package init(
    origin: Origin, tls: TLSOptions, logger: Logger, configuration: HTTP3TransportConfiguration,
    resumption: ResumptionStore = ResumptionStore(), metrics: TransportMetrics = TransportMetrics(),
    network: LocalNetwork = .system, clock: TransportClock = .continuous, random: TransportRandom = .system,
    resolve: @escaping NameResolver.Resolve
  ) {
    self.metrics = metrics.http3
    self.origin = origin
    self.tls = tls
    self.logger = logger
    self.configuration = configuration.sane
    self.resolve = resolve
    self.network = network
    self.clock = clock
    self.random = random
    // Of a session that another identity began, the server would take this one for that.
    let resumption = tls.identity == nil ? resumption : ResumptionStore()
    memory = ServerMemory(store: resumption, origin: origin, clock: clock)
    qlog = configuration.qlogDirectory.map { QlogDirectory(path: $0, logger: logger) }
  }

  deinit {
    connections.abandon(Self.closedReason)
  }

  public func connect() async throws -> ConnectionInfo {
    try await connection().currentInfo()
  }

  public func send(_ request: HTTPRequest, body: RequestBody) async throws -> TransportResponse {
    try await metrics.measure(by: clock) { try await perform(request, body: body) }
  }

  private func perform(_ request: HTTPRequest, body: RequestBody) async throws -> TransportResponse {
    let prepared = try prepare(request, body: body)
    // The query stays out of the log: it may carry what only the server should see.
    let path = request.path?.prefix { $0 != "?" } ?? "/"
    logger.debug(
      "request",
      metadata: [
        "x-request-id": "\(prepared.requestID)", "method": "\(request.method.rawValue)", "path": "\(path)",
        "transport": "h3",
      ])
    let early = Self.maySendEarly(request, body: body) ? try await sendEarly(prepared) : nil
    let response = if let early { early } else { try await sendSafely(prepared) }
    logger.debug(
      "response", metadata: ["x-request-id": "\(prepared.requestID)", "status": "\(response.head.status.code)"])
    return response
  }

  func prepare(_ request: HTTPRequest, body: RequestBody) throws(TransportError) -> HTTP3Request {
    let alternative = alternative.withLock { $0 }
    return try HTTP3Request(
      request, body: body, origin: origin, alternative: alternative?.authority(for: origin.host), random: random)
  }

  /// Sends after the handshake. A connection that ends before the request has left is replaced, and what the server
  /// says it did not process is sent again; a server that keeps refusing is believed.
  private func sendSafely(_ request: HTTP3Request) async throws -> TransportResponse {
    var attempts = 3
    while true {
      attempts -= 1
      do {
        return try await connection().send(request)
      } catch let unsent as UnsentRequest {
        guard attempts > 0, unsent.reason.code != .cancelled else { throw unsent.reason }
      } catch let error as TransportError where error.code == .notProcessed && attempts > 0 && request.isRepeatable {
        logger.debug("repeated", metadata: ["x-request-id": "\(request.requestID)", "reason": "\(error)"])
      }
    }
  }

  public func snapshot() async -> ConnectionSnapshot? {
    await connections.usable?.snapshot()
  }

  package func retireConnection() async {
    await connections.current?.retire()
  }

  /// Has the current connection send with new keys (RFC 9001 § 6), which it does by itself long before keys are used too
  /// often; false while it may not: nothing came since the last update, or that is not acknowledged.
  package func updateKeys() async -> Bool {
    await connections.usable?.updateKeys() ?? false
  }

  package func setResponseExpected(_ isExpected: Bool) {
    isResponseExpected.store(isExpected, ordering: .relaxed)
    connections.current?.onLoop { $0.setResponseExpected(isExpected) }
  }

  public func close() async {
    opening.cancel(throwing: Self.closedReason)
    await connections.closeAll(Self.closedReason)
    await memory.flush()
    await qlog?.flush()
  }

  private static var closedReason: TransportError {
    TransportError(.cancelled, "The transport was closed.")
  }

  // MARK: Connecting

  func connection() async throws -> HTTP3ClientConnection {
    if let usable = connections.usable { return usable }
    do {
      return try await opening.value { [self] in
        if let usable = connections.usable { return usable }
        let epoch = connections.epoch
        defer { offers.end() }
        let suspect = await connections.suspect
        // Its path may have answered while it was asked.
        if let usable = connections.usable { return usable }
        let new = if let suspect { try await reopen(beside: suspect) } else { try await openCounted() }
        guard new !== suspect else { return new }
        // One that nobody waits for any more would be kept alive for nothing.
        guard !Task.isCancelled, await connections.adopt(new, epoch: epoch) else {
          await new.close(Self.closedReason)
          throw Self.closedReason
        }
        new.onLoop { [isExpected = isResponseExpected.load(ordering: .relaxed)] in $0.setResponseExpected(isExpected) }
        await suspect?.close(.superseded(by: "another one"))
        return new
      }
    } catch is CancellationError {
      throw TransportError(.cancelled, "Connecting to \(origin) was cancelled.")
    }
  }

  /// - Parameter attempts: at each address; more than one where a network may come back any moment.
  func openCounted(attempts: Int = 1) async throws -> HTTP3ClientConnection {
    do {
      let new = try await open(attempts: attempts)
      await new.countOpened()
      return new
    } catch {
      // One beside a silent path that answered after all did not fail.
      if attempts == 1 || !Task.isCancelled { metrics.connectionFailed(error) }
      throw error
    }
  }

  private func open(attempts: Int) async throws -> HTTP3ClientConnection {
    let alternative = alternative.withLock { $0 }
    let port = try port()
    let client = try makeClient()
    let loop = try loop()
    let startedAt = loop.now
    async let taken = memory.take()
    let addresses: [NetworkAddress]
    do {
      addresses = try await lookUp(alternative, port: port)
    } catch {
      memory.putBack(await taken)
      throw error
    }
    let nameLookup = loop.now - startedAt
    let known = await taken
    if let doubt = known.ecnDoubt { memory.ecn.doubt(for: doubt) }
    let supply = ResumptionSupply(memory, first: known)
    defer { supply.end() }
    try Task.checkCancellation()
    let dialer = HTTP3Dialer(
      client: client, configuration: configuration, memory: memory, supply: supply, offers: offers, metrics: metrics,
      network: network, random: random, loop: loop, logger: logger, qlog: qlog, nameLookup: nameLookup,
      deadline: startedAt + configuration.connectTimeout,
      watch: { [weak self] in self?.pathChanged($1, of: $0) })
    let order = NameResolver.interleave(addresses)
    let race = AddressRace(
      addresses: Array(repeatElement(order, count: attempts).joined()),
      delay: attempts > 1 ? Self.rescueDelay : configuration.addressDelay, clock: clock,
      connect: { (address) async throws(TransportError) in try await dialer.connect(to: address) },
      discard: { await $0.close(.fasterAddress) })
    return try await race.run()
  }

  private func port() throws(TransportError) -> UInt16 {
    guard origin.scheme == .https else {
      throw TransportError(.invalidRequest, "HTTP/3 is always encrypted; use https instead of \(origin).")
    }
    guard let port = UInt16(exactly: origin.port) else {
      throw TransportError(.invalidRequest, "Port \(origin.port) is outside 1 to 65535.")
    }
    return port
  }

  private func makeClient() throws(TransportError) -> ClientConfiguration {
    var client = ClientConfiguration(host: origin.host, verifier: try tls.makeVerifier(), configuration)
    if let file = tls.keyLogFile {
      let keyLog = try KeyLog(path: file)
      client.keyLog = { keyLog.append($0) }
    }
    client.identity = try tls.identity?.load()
    client.connection.qlog = qlog?.configuration
    return client
  }

  /// The server's addresses, or those of the alternative that takes its place.
  private func lookUp(_ alternative: AlternativeService?, port: UInt16) async throws -> [NetworkAddress] {
    lookUps.add(1, ordering: .relaxed)
    defer { lookUps.subtract(1, ordering: .relaxed) }
    let found = try await resolve(
      alternative?.host ?? origin.host, alternative?.port ?? port, configuration.connectTimeout)
    // A server elsewhere has no business with what listens on this machine, under whatever name.
    let isElsewhere = alternative?.host.map { $0 != origin.host.lowercased() } ?? false
    let addresses = isElsewhere && !origin.isLoopback ? found.filter { !$0.isOfThisMachine } : found
    guard !addresses.isEmpty else {
      throw TransportError(.unreachable, "The alternative service is on this machine, and the origin is not.")
    }
    return addresses
  }
}

extension HTTP3Transport: SteerableTransport {
  package func steer(to alternative: AlternativeService?) {
    self.alternative.withLock { $0 = alternative }
  }

  package var isLookingUp: Bool { lookUps.load(ordering: .relaxed) > 0 }

  package func watchPath(_ watcher: @escaping @Sendable (PathHealth) -> Void) {
    pathWatcher.withLock { $0 = watcher }
  }

  package func leaveSilentPath(for other: String) async {
    await connections.current?.leaveSilentPath(for: other)
  }
}
