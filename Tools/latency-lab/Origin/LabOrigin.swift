import Hummingbird
import HummingbirdHTTP3
import Logging
import StreamTransport

/// The server of an experiment: writes the schedule's events, over TLS in all three versions of HTTP, and in plaintext
/// for a foreign server before it.
struct LabOrigin: Sendable {
  /// The addresses at which HTTP/3, HTTP/2 and HTTP/1.1 are served.
  struct Secure: Sendable {
    var address: String
    var port: Int
    var certificatePEM: String
    var privateKeyPEM: String
    /// Nil for a secret that lasts as long as the process.
    var ticketSecretFile: String?
    var drainTimeout = Duration.milliseconds(200)
    /// Whether connections begin with QUIC's own first guess of the round trip.
    var hasStockRecovery = false
    /// The folder of qlog files; nil for none.
    var qlogFolder: String?

    var options: HTTP3ServerOptions {
      var options = HTTP3ServerOptions(ticketSecretFile: ticketSecretFile)
      options.qlogDirectory = qlogFolder
      if hasStockRecovery { options.initialRoundTrip = StockRecovery.initialRoundTrip }
      return options
    }
  }

  private let secure: MultiProtocolServer<RouterResponder<BasicRequestContext>>?
  private let plain: PlainServer?

  /// - Parameters:
  ///   - plainPort: on 127.0.0.1; nil for none.
  ///   - markedClient: the IPv4 address of a client toward which tokens are marked for the link; nil for no marks.
  init(
    plan: ClientPlan, secure: Secure?, plainPort: Int?, markedClient: String? = nil, logger: Logger
  ) throws(SystemError) {
    var routes = OriginRoutes(plan: plan, timer: try PreciseTimer())
    if let markedClient { routes.marker = try TokenMarker(client: markedClient) }
    self.secure = secure.map { secure in
      MultiProtocolServer(
        responder: routes.makeRouter().buildResponder(),
        configuration: MultiProtocolConfiguration(
          address: secure.address, port: secure.port, certificatePEM: secure.certificatePEM,
          privateKeyPEM: secure.privateKeyPEM, drainTimeout: secure.drainTimeout,
          http3: secure.options), logger: logger)
    }
    plain = plainPort.map { [routes] in PlainServer(routes: routes, port: $0, logger: logger) }
  }

  /// Listens everywhere; returns the ports once all take requests.
  func start() async throws -> (secure: Int?, plain: Int?) {
    let port = try await secure?.start()
    do {
      return (port, try await plain?.start())
    } catch {
      await secure?.shutdown()
      throw error
    }
  }

  func stop() async {
    await secure?.shutdown()
    await plain?.stop()
  }
}
