import Hummingbird
import HummingbirdCore
import HummingbirdHTTP2
import Logging
import NIOCore
import ServiceLifecycle
import StreamTransport
import Synchronization

/// Hummingbird's HTTP/1.1 and HTTP/2 over TLS, started and stopped as one object.
final class TCPListener: Sendable {
  /// Connections beyond the limit that are accepted: those that are refused at once, or whose place another's end makes,
  /// which takes its time.
  private static let newcomers = 64

  private let services: ServiceGroup
  private let tls: TLSContextInUse
  private let ports: AsyncThrowingStream<Int, any Error>
  private let portSink: AsyncThrowingStream<Int, any Error>.Continuation
  private let running = Mutex<Task<Void, Never>?>(nil)

  /// - Parameter untaken: the sum of what clients do not take of responses.
  init(
    _ place: TCPPlace, credentials: TCPCredentials, limits: TCPLimits, drainTimeout: Duration, countsTraffic: Bool,
    untaken: SharedBytes, logger: Logger,
    responder: @escaping HTTPChannelHandler.Responder
  ) {
    let (ports, portSink) = AsyncThrowingStream<Int, any Error>.makeStream()
    self.ports = ports
    self.portSink = portSink
    let tls = TLSContextInUse(credentials)
    self.tls = tls
    let requests = SharedPlaces(limits.maximumRequests)
    // Hummingbird closes none for being idle whose request is read whole and whose response is not yet complete.
    let http2 = HTTP2Channel.Configuration(
      idleTimeout: limits.idleTimeout, gracefulCloseTimeout: drainTimeout,
      streamConfiguration: HTTP1Channel.Configuration(
        additionalChannelHandlers: TCPListener.handlers(countsTraffic, limits, requests, untaken),
        idleTimeout: TimeAmount(limits.idleTimeout)))
    let places = SharedPlaces(limits.maximumConnections)
    let connection = TCPConnection(
      tls: tls,
      http1: UpgradableHTTP1Connection(
        responder: responder, limits: limits, untaken: untaken, countsTraffic: countsTraffic),
      http2: HTTP2Channel(responder: responder, configuration: http2), handshakeTimeout: limits.handshakeTimeout,
      quietTimeout: limits.idleTimeout + drainTimeout, places: places,
      watch: { ConnectionWriteWatch(timeout: limits.writeTimeout, untaken: untaken) })
    let acceptor = TCPAcceptor(
      place: place, connection: connection,
      maximumConnections: min(limits.maximumConnections, .max - Self.newcomers) + Self.newcomers, logger: logger
    ) { port in
      portSink.yield(port)
      portSink.finish()
    }
    var configuration = ServiceGroupConfiguration(services: [acceptor], logger: logger)
    // Past this, what still runs is cancelled.
    configuration.maximumGracefulShutdownDuration = drainTimeout
    services = ServiceGroup(configuration: configuration)
  }

  /// The handlers of a stream of HTTP/2, of which each has its own.
  private static func handlers(
    _ countsTraffic: Bool, _ limits: TCPLimits, _ requests: SharedPlaces, _ untaken: SharedBytes
  ) -> [any RemovableChannelHandler] {
    let usual: [any RemovableChannelHandler] = [
      RequestPlace(requests), DepartureHandler(), WriteWatch(timeout: limits.writeTimeout, untaken: untaken),
    ]
    return countsTraffic ? [TrafficHandler()] + usual : usual
  }

  /// Binds and serves; returns the port.
  func start() async throws -> Int {
    let task = Task { [services, portSink] in
      do {
        try await services.run()
        portSink.finish()
      } catch {
        portSink.finish(throwing: error)
      }
    }
    running.withLock { $0 = task }
    for try await port in ports { return port }
    throw CancellationError()
  }

  /// Those of the connections that are accepted now.
  var credentials: TCPCredentials { tls.current }

  /// Takes others for the connections that are accepted from now on.
  func use(_ others: TCPCredentials) {
    tls.replace(with: others)
  }

  /// Takes no more connections, lets running requests finish, and returns when all connections are closed.
  func drain() async {
    await services.triggerGracefulShutdown()
    await running.withLock { $0 }?.value
  }

  /// Cancels all requests and closes.
  func close() async {
    let task = running.withLock { $0 }
    task?.cancel()
    await task?.value
  }
}
