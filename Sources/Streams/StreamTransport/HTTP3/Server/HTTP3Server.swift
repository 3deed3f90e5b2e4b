import HTTP3Engine
public import Logging
import Synchronization

/// An HTTP/3 server at one UDP address.
public final class HTTP3Server: Sendable {
  private let configuration: HTTP3ServerConfiguration
  private let logger: Logger
  private let metrics: TransportMetrics
  private let handler: @Sendable (HTTP3ServerExchange) async -> Void
  private let refused: (@Sendable (HTTP3ServerRefusal) -> Void)?
  private let loops = Mutex<ServerLoops?>(nil)
  /// Ends with the server.
  private let keeping = Mutex<Task<Void, Never>?>(nil)

  /// - Parameters:
  ///   - configuration: where to listen, what to show, limits.
  ///   - logger: one line a request at debug level, with its `x-request-id`.
  ///   - metrics: where connections, requests and packets are counted.
  ///   - handler: called in a task of its own for each request.
  public convenience init(
    _ configuration: HTTP3ServerConfiguration, logger: Logger, metrics: TransportMetrics = TransportMetrics(),
    handler: @escaping @Sendable (HTTP3ServerExchange) async -> Void
  ) {
    self.init(configuration, logger: logger, metrics: metrics, refused: nil, handler: handler)
  }

  /// - Parameter refused: called on a loop of the server with each request that the server answers itself.
  package init(
    _ configuration: HTTP3ServerConfiguration, logger: Logger, metrics: TransportMetrics = TransportMetrics(),
    refused: (@Sendable (HTTP3ServerRefusal) -> Void)?, handler: @escaping @Sendable (HTTP3ServerExchange) async -> Void
  ) {
    self.refused = refused
    self.configuration = configuration
    self.logger = logger
    self.metrics = metrics
    self.handler = handler
  }

  /// Binds the socket, unless one was given, and answers its port. Throws ``TransportError`` when the address, the port, the
  /// socket or the certificate cannot be used, and for a number of loops that no server has.
  public func start() async throws -> Int {
    guard let address = configuration.listeningAddress else {
      throw TransportError(
        .invalidRequest,
        "'\(configuration.address)' port \(configuration.port) is no address to listen at; give a numeric one such as 127.0.0.1."
      )
    }
    let preferred = try configuration.preferredAddresses.map { address throws(TransportError) in
      guard let port = UInt16(exactly: address.port), let numeric = NetworkAddress(literal: address.address, port: port)
      else {
        throw TransportError(
          .invalidRequest, "'\(address.address)' port \(address.port) is no address to prefer; give a numeric one.")
      }
      return numeric
    }
    guard (1...LoopSteering.maximumLoops).contains(configuration.options.loops) else {
      throw TransportError(
        .invalidRequest,
        "\(configuration.options.loops) loops are too few or too many; a server has 1 to \(LoopSteering.maximumLoops).")
    }
    guard configuration.socket == nil || configuration.options.loops == 1 else {
      throw TransportError(
        .invalidRequest, "A socket that was given is served by one loop; leave `loops` at 1, or give no socket.")
    }
    do {
      let keeper = SecretKeeper(configuration, logger: logger)
      let setup = try ServerSetup(
        configuration, secrets: try keeper?.start() ?? configuration.options.startingSecrets(), logger: logger,
        metrics: metrics.server, refused: refused, handler: handler)
      let loops = try ServerLoops(setup, at: [address] + preferred)
      try await loops.open()
      if let keeper { keeping.withLock { $0 = Task { await keeper.keep(loops) } } }
      self.loops.withLock { $0 = loops }
      return loops.port
    } catch let error as HTTP3Error {
      throw TransportError(error)
    } catch let error as SystemError {
      throw TransportError(
        .invalidRequest, "UDP port \(configuration.port) at \(configuration.address) cannot be used: \(error)",
        cause: error)
    }
  }

  /// Presents another certificate from the next handshake on; open connections stay.
  ///
  /// Throws ``TransportError`` before the server is started, and when the certificate and the key cannot be used; nothing
  /// changes then.
  public func useCertificate(_ certificatePEM: String, privateKeyPEM: String) throws(TransportError) {
    try use([ServerIdentity(certificatePEM: certificatePEM, privateKeyPEM: privateKeyPEM)])
  }

  /// Presents other certificates from the next handshake on, and asks clients for others where it asks for some, all at
  /// once; open connections stay.
  ///
  /// Throws ``TransportError`` as ``useCertificate(_:privateKeyPEM:)`` does, also where there are none to present.
  ///
  /// - Parameter clientAuthoritiesPEM: takes the place of ``ClientCertificatePolicy/authoritiesPEM``; nil leaves it as
  ///   it is. Throws for a server that asks for no certificates.
  public func use(_ identities: [ServerIdentity], clientAuthoritiesPEM: String? = nil) throws(TransportError) {
    guard let loops = loops.withLock({ $0 }) else {
      throw TransportError(.invalidRequest, "The server was not started; start it before its certificate is replaced.")
    }
    let policy = try configuration.clientCertificates.replacingAuthorities(with: clientAuthoritiesPEM)
    do {
      try loops.credentials.replace(with: try identities.load(logger), clients: try policy?.load())
    } catch {
      throw TransportError(error)
    }
  }

  /// Takes other secrets for session tickets and address tokens from the next handshake on, in place of those of
  /// ``HTTP3ServerOptions/secrets``: the first seals, and all open.
  ///
  /// Throws ``TransportError`` before the server is started, where they come from a file, and for none, or ones of fewer than 32
  /// bytes; nothing changes then.
  public func use(secrets: [[UInt8]]) async throws(TransportError) {
    guard let loops = loops.withLock({ $0 }) else {
      throw TransportError(.invalidRequest, "The server was not started; start it before its secrets are replaced.")
    }
    guard !configuration.options.secrets.isEmpty, configuration.options.ticketSecretFile == nil else {
      throw TransportError(
        .invalidRequest, "The server was started without secrets of its own; give it some in its options.")
    }
    var options = configuration.options
    options.secrets = secrets
    let checked = try options.startingSecrets().secrets
    guard !checked.isEmpty else {
      throw TransportError(.invalidRequest, "A server that was given secrets needs one.")
    }
    await loops.use(secrets: checked)
  }

  /// Returns when another server may take early data.
  private func endKeeping() async {
    let task = keeping.withLock { $0 }
    task?.cancel()
    await task?.value
  }

  deinit {
    keeping.withLock { $0 }?.cancel()
  }

  /// Sends GOAWAY: running requests continue, further ones go elsewhere (RFC 9114 § 5.2).
  package func goAway() async {
    await loops.withLock({ $0 })?.goAway()
  }

  /// Sends GOAWAY, lets running requests finish for at most `limit`, and closes.
  public func drain(within limit: Duration) async {
    let loops = loops.withLock { $0 }
    await loops?.drain(within: limit)
    await endKeeping()
    await loops?.flushQlog()
  }

  /// Closes all connections at once.
  public func close() async {
    let loops = loops.withLock { $0 }
    await loops?.close()
    await endKeeping()
    await loops?.flushQlog()
  }
}
