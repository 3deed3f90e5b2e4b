import CLinux
public import HTTPTypes
public import Logging
import Synchronization

/// HTTP/1.1 over TLS, on SwiftNIO's codec: one request a connection at a time, connections kept for the next request.
///
/// Plaintext goes to this machine only, unless it is allowed by name. Response bodies are read from the socket as they
/// are consumed. A connection that the server closed while it was kept is replaced without the caller's notice where the
/// request may be repeated (RFC 9110 § 9.2.2). Where a proxy is set, connections are tunnels through it.
public final class HTTP1Transport: HTTPTransport, ResponsiveTransport {
  public let origin: Origin
  private let tls: TLSOptions
  private let allowsPlaintext: Bool
  private let proxies: ProxySettings
  private let resolve: NameResolver.Resolve
  private let logger: Logger
  private let configuration: HTTP1TransportConfiguration
  private let slots: RequestSlots
  private let opening = SharedAttempt<HTTP1Connection>()
  private let connections: HTTP1Connections
  private let metrics: ProtocolMetrics
  private let clock: TransportClock
  private let random: TransportRandom

  /// - Parameters:
  ///   - allowsPlaintext: whether an `http` origin may be another machine than this one.
  ///   - proxies: the proxies that there are; by default none is used.
  ///   - metrics: where connections and requests are counted.
  public convenience init(
    origin: Origin, tls: TLSOptions, allowsPlaintext: Bool = false, proxies: ProxySettings = .none, logger: Logger,
    configuration: HTTP1TransportConfiguration = HTTP1TransportConfiguration(),
    metrics: TransportMetrics = TransportMetrics()
  ) {
    self.init(
      origin: origin, tls: tls, allowsPlaintext: allowsPlaintext, proxies: proxies, logger: logger,
      configuration: configuration, metrics: metrics, resolve: NameResolver.standard)
  }

  /// With a name resolution, a clock and random numbers of the caller's own.
  ///
  /// - Parameter suspendedTime: how long the machine has been suspended so far, in nanoseconds.
  package init(
    origin: Origin, tls: TLSOptions, allowsPlaintext: Bool = false, proxies: ProxySettings = .none, logger: Logger,
    configuration: HTTP1TransportConfiguration, metrics: TransportMetrics = TransportMetrics(),
    suspendedTime: @escaping @Sendable () -> UInt64 = { clinux_suspended_time() },
    clock: TransportClock = .continuous, random: TransportRandom = .system,
    resolve: @escaping NameResolver.Resolve
  ) {
    self.metrics = metrics.http1
    self.clock = clock
    self.random = random
    self.origin = origin
    self.tls = tls
    self.allowsPlaintext = allowsPlaintext
    self.proxies = proxies
    self.resolve = resolve
    self.logger = logger
    self.configuration = configuration
    slots = RequestSlots(count: configuration.maximumRequests)
    connections = HTTP1Connections(configuration, suspendedTime: suspendedTime, metrics: metrics.http1)
  }

  deinit {
    connections.closeIdle()
  }

  public func connect() async throws -> ConnectionInfo {
    if let open = connections.any { return open.info }
    do {
      let connection = try await opening.value { [self] in
        let new = try await open()
        connections.park(new)
        return new
      }
      return connection.info
    } catch is CancellationError {
      throw TransportError(.cancelled, "Connecting was cancelled.")
    }
  }

  public func send(_ request: HTTPRequest, body: RequestBody) async throws -> TransportResponse {
    try await metrics.measure(by: clock) { try await perform(request, body: body) }
  }

  private func perform(_ request: HTTPRequest, body: RequestBody) async throws -> TransportResponse {
    let prepared = try HTTP1Request(request, body: body, origin: origin, random: random)
    let slot = try await slots.take()
    log(prepared, request)
    if let kept = connections.takeIdle() {
      do {
        return try await exchange(prepared, on: kept, slot)
      } catch let stale as StaleConnection {
        // A connection that was found closed before the first byte was written took nothing at all.
        guard prepared.canBeRepeated || stale.isUntouched else { throw stale.error }
        logger.debug(
          "kept connection was closed, trying a new one", metadata: ["x-request-id": "\(prepared.requestID)"])
      }
    }
    do {
      return try await exchange(prepared, on: try await open(), slot)
    } catch let stale as StaleConnection {
      throw stale.error
    }
  }

  public func snapshot() async -> ConnectionSnapshot? {
    await connections.any?.snapshot()
  }

  /// Closes what waits for a request; what is in use ends with its response.
  package func retireConnection() async {
    connections.closeIdle()
  }

  public func close() async {
    opening.cancel(throwing: TransportError.closedByCaller())
    connections.closeAll(.closedByCaller())
  }

  private func exchange(
    _ request: HTTP1Request, on connection: HTTP1Connection, _ slot: RequestSlot
  ) async throws -> TransportResponse {
    let answer = try await connection.send(request, slot: slot)
    logger.debug(
      "response",
      metadata: ["x-request-id": "\(request.requestID)", "status": "\(answer.head.status.code)"])
    return TransportResponse(
      head: answer.head, body: answer.body, connection: connection.info, requestID: request.requestID,
      interimResponses: answer.interimResponses)
  }

  /// The reason for which HTTP/3 cannot be used beside this transport; nil where it can.
  var exclusionOfHTTP3: String? {
    do throws(TransportError) {
      return try proxies.proxy(for: origin).map { "connections go through the proxy \($0), which carries TCP alone." }
    } catch {
      return error.message
    }
  }

  private func open() async throws(TransportError) -> HTTP1Connection {
    do throws(TransportError) {
      let new = try await openUncounted()
      metrics.connectionOpened(new.info)
      return new
    } catch {
      metrics.connectionFailed(error)
      throw error
    }
  }

  private func openUncounted() async throws(TransportError) -> HTTP1Connection {
    guard origin.scheme == .https || origin.isLoopback || allowsPlaintext else {
      throw TransportError(
        .invalidRequest, "\(origin) is plaintext to another machine; use https, or allow plaintext by name.")
    }
    let connector = try connections.connector(of: tls.identity) { () throws(TransportError) in
      try HTTP1Connector(
        origin: origin, tls: tls, proxy: try proxies.proxy(for: origin), configuration: configuration, clock: clock,
        resolve: resolve)
    }
    let epoch = connections.epoch
    let connection = try await connector.connect()
    guard await connections.add(connection, epoch: epoch) else {
      connection.close(.closedByCaller())
      throw .closedByCaller()
    }
    return connection
  }

  /// The query stays out of the log: it may carry what only the server should see.
  private func log(_ prepared: HTTP1Request, _ request: HTTPRequest) {
    let path = request.path?.prefix { $0 != "?" } ?? "/"
    logger.debug(
      "request",
      metadata: [
        "x-request-id": "\(prepared.requestID)", "method": "\(request.method.rawValue)", "path": "\(path)",
        "transport": "h1",
      ])
  }
}
