import HTTP3Engine
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// Opens connections to one origin: name resolution and TCP with Happy Eyeballs (RFC 8305), a proxy's tunnel where there
/// is one, then TLS.
struct HTTP1Connector: Sendable {
  private let origin: Origin
  /// Nil for the direct way.
  private let proxy: HTTPProxy?
  private let configuration: HTTP1TransportConfiguration
  private let resolve: NameResolver.Resolve
  private let clock: TransportClock
  private let group: MultiThreadedEventLoopGroup
  /// Nil for plaintext.
  private let tls: (context: NIOSSLContext, verifier: CertificateVerifier)?

  /// Throws ``TransportError`` with `tls` where the trusted authorities, the client's certificate or the key log cannot
  /// be used.
  init(
    origin: Origin, tls options: TLSOptions, proxy: HTTPProxy?, configuration: HTTP1TransportConfiguration,
    clock: TransportClock, resolve: @escaping NameResolver.Resolve
  ) throws(TransportError) {
    self.origin = origin
    self.proxy = proxy
    self.configuration = configuration
    self.resolve = resolve
    self.clock = clock
    group = .singleton
    switch origin.scheme {
    case .http: tls = nil
    case .https:
      let verifier = try options.makeVerifier()
      do {
        var configuration = try Self.tlsConfiguration(options)
        if let identity = options.identity { try identity.show(by: &configuration) }
        tls = (try NIOSSLContext(configuration: configuration), verifier)
      } catch {
        throw (error as? TransportError) ?? TransportError(.tls, "TLS cannot be set up: \(error).", cause: error)
      }
    }
  }

  private static func tlsConfiguration(_ options: TLSOptions) throws(TransportError) -> TLSConfiguration {
    var configuration = TLSConfiguration.makeClientConfiguration()
    configuration.minimumTLSVersion = .tlsv12
    configuration.applicationProtocols = ["http/1.1"]
    // A response that is given up is still coming in, so the server's goodbye may be far behind.
    configuration.shutdownTimeout = .seconds(1)
    // Chain and name are the verifier's matter alone: NIOSSL would check the name once more in its own way, which takes
    // an address in the certificate for the host's name and knows no pins. The callback is asked all the same.
    configuration.certificateVerification = .noHostnameVerification
    configuration.trustRoots = .certificates([])
    if let path = options.keyLogFile {
      let log = try KeyLog(path: path)
      configuration.keyLogCallback = { line in log.append(String(buffer: line)) }
    }
    return configuration
  }

  /// Opens a connection and returns it idle; cancelling the task gives it up at once.
  func connect() async throws(TransportError) -> HTTP1Connection {
    let loop = group.next()
    let result = loop.makePromise(of: HTTP1Connection.self)
    let attempt = HTTP1ConnectAttempt(result: result)
    let start = clock.now()
    let timer = loop.scheduleTask(in: .nanoseconds(configuration.connectTimeout.nanosecondsClamped)) {
      attempt.giveUp(describe(TransportError.connectTimeout(origin)))
    }
    defer { timer.cancel() }
    do {
      return try await withTaskCancellationHandler {
        let (host, port) = proxy.map { ($0.host, $0.port) } ?? (origin.host, origin.port)
        bootstrap(loop, attempt).connect(host: host, port: port).whenComplete { outcome in
          switch outcome {
          case .success(let channel): awaitHandshake(of: channel, since: start, attempt)
          case .failure(let error): attempt.giveUp(describe(error))
          }
        }
        return try await result.futureResult.get()
      } onCancel: {
        attempt.giveUp(TransportError(.cancelled, "Connecting was cancelled."))
      }
    } catch {
      throw TransportError(connecting: error, to: origin)
    }
  }

  private func bootstrap(_ loop: any NIOCore.EventLoop, _ attempt: HTTP1ConnectAttempt) -> ClientBootstrap {
    ClientBootstrap(group: loop)
      // The attempt's own timer covers TLS too and must be the one that fires.
      .connectTimeout(.nanoseconds((configuration.connectTimeout + .seconds(5)).nanosecondsClamped))
      .resolver(ConnectResolver(loop: loop, timeout: configuration.connectTimeout, lookUp: resolve))
      .channelOption(.autoRead, value: false)
      .channelOption(.tcpOption(.tcp_nodelay), value: 1)
      // A dead path is found after half a minute, as HTTP/3's keep-alive finds it: tcp(7).
      .channelOption(.socketOption(.so_keepalive), value: 1)
      .channelOption(.tcpOption(.init(rawValue: 4 /* TCP_KEEPIDLE */)), value: 15)
      .channelOption(.tcpOption(.init(rawValue: 5 /* TCP_KEEPINTVL */)), value: 5)
      .channelOption(.tcpOption(.init(rawValue: 6 /* TCP_KEEPCNT */)), value: 3)
      .channelOption(.tcpOption(.init(rawValue: 18 /* TCP_USER_TIMEOUT, ms */)), value: 30_000)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try attempt.adopt(channel)
          try configure(channel, attempt)
        }
      }
  }

  /// The error for a connection to the origin or its proxy that could not be made.
  private func describe(_ error: any Error) -> TransportError {
    guard let proxy else { return TransportError(connecting: error, to: origin) }
    // The proxy is what was connected to, so what is said of a host is said of it.
    var described = TransportError(connecting: error, to: Origin(scheme: .http, host: proxy.host, port: proxy.port))
    described.message = "The proxy \(proxy) of \(proxy.source) does not help: \(described.message)"
    return described
  }

  private func configure(_ channel: any Channel, _ attempt: HTTP1ConnectAttempt) throws {
    let pipeline = channel.pipeline.syncOperations
    if let proxy {
      try pipeline.addHandler(ProxyTunnelHandler(proxy: proxy, origin: origin) { attempt.giveUp($0) })
    }
    let verdict = tls.map { CertificateVerdict(verifier: $0.verifier, host: origin.host) }
    let handler = HTTP1ConnectionHandler(
      ready: channel.eventLoop.makePromise(), origin: origin, configuration: configuration, verdict: verdict)
    if let tls, let verdict {
      try pipeline.addHandler(ReadValve { [weak handler] in handler?.wantsBytes ?? false })
      // RFC 6066 § 3: an address is no server name, and BoringSSL refuses it.
      let name = SubjectNames.addressBytes(origin.host) == nil ? origin.host : nil
      try pipeline.addHandler(
        NIOSSLClientHandler(
          context: tls.context, serverHostname: name,
          customVerificationCallback: { chain, promise in verdict.verify(chain, promise) }))
    }
    var limits = NIOHTTPDecoderLimitConfiguration()
    limits.maxHeaderFieldSize = configuration.maximumFieldSectionSize
    limits.maxHeaderListSize = configuration.maximumFieldSectionSize
    limits.maxHeaderFieldCount = configuration.maximumFieldCount
    try pipeline.addHandlers(
      [
        HTTPRequestEncoder(),
        ByteToMessageHandler(
          HTTPResponseDecoder(
            leftOverBytesStrategy: .dropBytes, informationalResponseStrategy: .forward, limitConfiguration: limits)),
        handler,
      ] as [any ChannelHandler])
  }

  private func awaitHandshake(
    of channel: any Channel, since start: Duration, _ attempt: HTTP1ConnectAttempt
  ) {
    channel.eventLoop.execute {
      do {
        let handler = try channel.pipeline.syncOperations.handler(type: HTTP1ConnectionHandler.self)
        let bound = NIOLoopBound(handler, eventLoop: channel.eventLoop)
        handler.ready.futureResult.whenComplete { outcome in
          switch outcome {
          case .failure(let error): attempt.giveUp(TransportError(connecting: error, to: origin))
          case .success:
            let info = ConnectionInfo(
              transport: .http1, cipher: nil, remoteAddress: channel.remoteAddress?.addressAndPort ?? origin.authority,
              handshake: clock.now() - start)
            let connection = HTTP1Connection(info: info, channel: channel, handler: bound.value)
            if !attempt.succeed(connection) { channel.close(promise: nil) }
          }
        }
      } catch {
        attempt.giveUp(TransportError(connecting: error, to: origin))
      }
    }
  }
}

extension SocketAddress {
  /// The address and port as in a URL: an IPv6 address stands in brackets.
  fileprivate var addressAndPort: String? {
    guard let ipAddress, let port else { return nil }
    return ipAddress.contains(":") ? "[\(ipAddress)]:\(port)" : "\(ipAddress):\(port)"
  }
}
