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
  }

  private let secure: MultiProtocolServer<RouterResponder<BasicRequestContext>>?
  private let plain: PlainServer?

  /// - Parameter plainPort: on 127.0.0.1; nil for none.
  init(plan: ClientPlan, secure: Secure?, plainPort: Int?, logger: Logger) throws(SystemError) {
    let routes = OriginRoutes(plan: plan, timer: try PreciseTimer())
    self.secure = secure.map { secure in
      MultiProtocolServer(
        responder: routes.makeRouter().buildResponder(),
        configuration: MultiProtocolConfiguration(
          address: secure.address, port: secure.port, certificatePEM: secure.certificatePEM,
          privateKeyPEM: secure.privateKeyPEM, drainTimeout: secure.drainTimeout,
          http3: HTTP3ServerOptions(ticketSecretFile: secure.ticketSecretFile)), logger: logger)
    }
    plain = plainPort.map { PlainServer(routes: routes, port: $0, logger: logger) }
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
