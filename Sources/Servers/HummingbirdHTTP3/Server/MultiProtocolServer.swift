public import Hummingbird
public import Logging
import NIOPosix
public import ServiceLifecycle
public import StreamTransport
import Synchronization

/// Serves one Hummingbird responder over HTTP/3, HTTP/2 and HTTP/1.1 on one port number.
///
/// ```swift
/// let server = MultiProtocolServer(
///   responder: router.buildResponder(), configuration: configuration, logger: logger)
/// let port = try await server.start()
/// ```
///
/// Every context that Hummingbird's `Application` accepts works. Over HTTP/3 its source's channel is inert: it reports
/// the peer's address and an event loop, and cannot be read or written. Handlers get their request body as a stream.
/// Over HTTP/3 they must not call `consumeWithCancellationOnInboundClose`, and need not: when a client leaves, the
/// handler's task is cancelled.
public final class MultiProtocolServer<Responder: HTTPResponder>: Service, Sendable
where Responder.Context: InitializableFromSource<ApplicationRequestContextSource> {
  private enum State {
    case idle
    case starting
    case running(TCPListener, HTTP3Server)
    case stopped
  }

  private let state = Mutex(State.idle)
  private let performer: RequestPerformer<Responder>
  private let webSockets: WebSocketUpgrade?
  private let configuration: MultiProtocolConfiguration
  private let logger: Logger
  private let alternative = AltSvcField()

  /// - Parameter webSocket: answers requests to become a WebSocket, which only HTTP/1.1 offers. Without it `responder` gets
  ///   them, as any other.
  public init(
    responder: Responder, configuration: MultiProtocolConfiguration, logger: Logger, webSocket: WebSocketHandler? = nil
  ) {
    let journal = RequestJournal(
      logger: logger, serverName: configuration.serverName, accessLog: configuration.accessLog)
    performer = RequestPerformer(responder: responder, journal: journal)
    webSockets = webSocket.map { WebSocketUpgrade($0, limits: configuration.webSocketLimits, journal: journal) }
    self.configuration = configuration
    self.logger = logger
  }

  /// Binds TCP and UDP, unless sockets were given, and serves; returns the port once both take requests. Throws
  /// ``MultiProtocolError``.
  public func start() async throws -> Int {
    let isFirst = state.withLock { state in
      guard case .idle = state else { return false }
      state = .starting
      return true
    }
    guard isFirst else { throw MultiProtocolError(.state, "The server was started before; make a new one.") }
    do {
      let tls = try TCPCredentials(configuration.identities, clients: configuration.clientCertificates)
      let (tcp, http3, port) = try await bind(tls)
      alternative.offer(port: port, maxAge: configuration.alternativeMaxAge)
      let isWanted = state.withLock { state in
        guard case .starting = state else { return false }
        state = .running(tcp, http3)
        return true
      }
      guard isWanted else {
        await http3.close()
        await tcp.close()
        throw MultiProtocolError(.state, "The server was shut down while it started; make a new one.")
      }
      return port
    } catch {
      state.withLock { $0 = .stopped }
      throw error
    }
  }

  /// Stops accepting requests (GOAWAY on HTTP/3 and HTTP/2), lets running ones finish for the drain time, then closes.
  ///
  /// - Parameter endLongResponses: called after GOAWAY was sent over HTTP/3, so that a client which requests the rest of a
  ///   response that ends here does so over another connection.
  public func shutdown(_ endLongResponses: @Sendable () -> Void = {}) async {
    let running = state.withLock { state -> (TCPListener, HTTP3Server)? in
      switch state {
      case .running(let tcp, let http3):
        state = .stopped
        return (tcp, http3)
      case .starting:
        // The call that starts the server throws.
        state = .stopped
        return nil
      case .idle, .stopped: return nil
      }
    }
    guard let (tcp, http3) = running else { return }
    alternative.withdraw()
    await http3.goAway()
    endLongResponses()
    async let drained: Void = http3.drain(within: configuration.drainTimeout)
    await tcp.drain()
    await drained
  }

  /// Presents another certificate from the next handshake on, over all protocols; open connections stay.
  ///
  /// Throws ``MultiProtocolError`` when the server does not run, and when the certificate and the key cannot be used;
  /// nothing changes then.
  public func useCertificate(_ certificatePEM: String, privateKeyPEM: String) throws(MultiProtocolError) {
    try use([ServerIdentity(certificatePEM: certificatePEM, privateKeyPEM: privateKeyPEM)])
  }

  /// Presents other certificates from the next handshake on, and asks clients for others where it asks for some, over
  /// all protocols and all at once; open connections stay.
  ///
  /// Throws ``MultiProtocolError`` as ``useCertificate(_:privateKeyPEM:)`` does, also where there are none to present.
  ///
  /// - Parameter clientAuthoritiesPEM: takes the place of `ClientCertificatePolicy.authoritiesPEM`; nil leaves it as it
  ///   is. Throws for a server that asks for no certificates.
  public func use(_ identities: [ServerIdentity], clientAuthoritiesPEM: String? = nil) throws(MultiProtocolError) {
    do {
      // Under the lock, so that all protocols present the certificate of the last call.
      try state.withLock { state in
        guard case .running(let tcp, let http3) = state else {
          throw MultiProtocolError(.state, "The server does not run; start it before its certificate is replaced.")
        }
        let credentials = try tcp.credentials.replaced(by: identities, clientAuthoritiesPEM: clientAuthoritiesPEM)
        try http3.use(identities, clientAuthoritiesPEM: clientAuthoritiesPEM)
        tcp.use(credentials)
      }
    } catch let error as MultiProtocolError {
      throw error
    } catch {
      throw MultiProtocolError(mismatch: error)
    }
  }

  /// Takes other secrets for HTTP/3's session tickets and address tokens; see `HTTP3Server.use(secrets:)`.
  ///
  /// Throws ``MultiProtocolError`` when the server does not run, and when the secrets cannot be used; nothing changes then.
  public func use(secrets: [[UInt8]]) async throws(MultiProtocolError) {
    let running = state.withLock { state -> HTTP3Server? in
      if case .running(_, let http3) = state { http3 } else { nil }
    }
    guard let running else {
      throw MultiProtocolError(.state, "The server does not run; start it before its secrets are replaced.")
    }
    do {
      try await running.use(secrets: secrets)
    } catch {
      throw MultiProtocolError(.state, error.message, cause: error)
    }
  }

  /// Serves until the service group shuts down, then drains.
  public func run() async throws {
    let port = try await start()
    let address = configuration.sockets?.address ?? configuration.address
    logger.info("serving HTTP/3, HTTP/2 and HTTP/1.1 on \(address) port \(port)")
    try? await gracefulShutdown()
    await shutdown()
  }

  /// TCP first, then UDP on the same number. A free TCP port may be taken for UDP: then another is tried.
  private func bind(_ tls: TCPCredentials) async throws -> (TCPListener, HTTP3Server, Int) {
    if let sockets = configuration.sockets { return try await serve(sockets, tls) }
    let attempts = configuration.port == 0 ? 16 : 1
    var failure: (any Error)?
    for _ in 0..<attempts {
      let (tcp, port) = try await bindTCP(.address(configuration.address, port: configuration.port), tls)
      do {
        let http3 = try await bindUDP(port)
        return (tcp, http3, port)
      } catch {
        await tcp.close()
        failure = error
      }
    }
    let port = configuration.port == 0 ? "any port that is free for TCP" : "port \(configuration.port)"
    let reason = failure.map { ": \($0)" } ?? ""
    throw MultiProtocolError(.udp, "UDP cannot listen on \(configuration.address), \(port)\(reason)", cause: failure)
  }

  private func serve(_ sockets: InheritedSockets, _ tls: TCPCredentials) async throws -> (TCPListener, HTTP3Server, Int)
  {
    let (tcp, port) = try await bindTCP(.socket(sockets.tcp), tls)
    do {
      return (tcp, try await bindUDP(port, sockets.udp), port)
    } catch {
      await tcp.close()
      throw MultiProtocolError(.udp, "The UDP socket that was passed cannot be served: \(error)", cause: error)
    }
  }

  private func bindTCP(
    _ place: TCPPlace, _ tls: TCPCredentials
  ) async throws(MultiProtocolError) -> (TCPListener, Int) {
    let untaken = SharedBytes(configuration.tcpLimits.maximumUntakenBytes)
    let handler = TCPHandler(
      performer: performer, alternative: alternative, targets: TargetRules(authorities: configuration.authorities),
      webSockets: webSockets, untaken: untaken)
    do {
      let listener = TCPListener(
        place, credentials: tls, limits: configuration.tcpLimits, drainTimeout: configuration.drainTimeout,
        countsTraffic: configuration.accessLog != nil, untaken: untaken, logger: logger
      ) { request, writer, channel in
        try await handler.handle(request, writer, channel)
      }
      return (listener, try await listener.start())
    } catch {
      throw MultiProtocolError(.tcp, place.failure(error), cause: error)
    }
  }

  private func bindUDP(_ port: Int, _ socket: InheritedSocket? = nil) async throws -> HTTP3Server {
    let handler = HTTP3Handler(
      performer: performer, channels: InertChannels(group: MultiThreadedEventLoopGroup.singleton))
    var http3 = HTTP3ServerConfiguration(
      address: configuration.address, port: port, identities: configuration.identities)
    http3.socket = socket
    http3.authorities = configuration.authorities
    http3.clientCertificates = configuration.clientCertificates
    http3.options = configuration.http3
    http3.limits = configuration.http3Limits
    http3.load = configuration.http3Load
    let journal = performer.journal
    let refused: (@Sendable (HTTP3ServerRefusal) -> Void)? =
      journal.accessLog == nil ? nil : { @Sendable in journal.refused($0) }
    let server = HTTP3Server(http3, logger: logger, refused: refused) { exchange in
      await handler.handle(exchange)
    }
    _ = try await server.start()
    return server
  }
}
