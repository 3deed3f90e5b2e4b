package import EventLedger
import Hummingbird
import HummingbirdHTTP3
package import Logging
import ServiceLifecycle
package import StreamTransport
import Synchronization

/// Serves workers over HTTP/3, HTTP/2 and HTTP/1.1 on one port number.
package final class WorkerServer: Service, Sendable {
  private struct Parts {
    let server: MultiProtocolServer<RouterResponder<RuntimeContext>>
    let housekeeping: Task<Void, Never>
  }

  package let core: RuntimeCore
  private let configuration: RuntimeConfiguration
  private let logger: Logger
  private let parts = Mutex<Parts?>(nil)

  package init(_ configuration: RuntimeConfiguration, ledger: any EventLedger, logger: Logger) {
    self.configuration = configuration
    self.logger = logger
    core = RuntimeCore(ledger, settings: configuration.settings, logger: logger)
  }

  /// Listens; returns the port once requests are taken. Throws `MultiProtocolError` and `LedgerError`.
  package func start() async throws -> Int {
    _ = try await core.accounts.book()
    var listener = MultiProtocolConfiguration(
      address: configuration.address, port: configuration.port, identities: configuration.identities,
      serverName: "agent-stream", drainTimeout: configuration.drainTimeout)
    listener.sockets = configuration.sockets
    listener.http3 = configuration.http3
    listener.accessLog = configuration.accessLog
    listener.clientCertificates = configuration.clientCertificates
    let server = MultiProtocolServer(
      responder: core.makeResponder(), configuration: listener, logger: logger)
    let port = try await server.start()
    parts.withLock { [core] in
      $0 = Parts(server: server, housekeeping: Task { await core.runHousekeeping() })
    }
    return port
  }

  /// Presents other certificates from the next handshake on; open connections stay.
  ///
  /// Throws `CancellationError` when nothing is served, and `MultiProtocolError` when a certificate and its key cannot be
  /// used; nothing changes then.
  ///
  /// - Parameter clientAuthoritiesPEM: takes the place of the policy's; nil leaves it as it is.
  package func use(_ identities: [ServerIdentity], clientAuthoritiesPEM: String? = nil) throws {
    guard let server = parts.withLock({ $0?.server }) else { throw CancellationError() }
    try server.use(identities, clientAuthoritiesPEM: clientAuthoritiesPEM)
  }

  /// Ends the streams gracefully, and lets running requests end within the drain time. Does nothing when not running.
  package func shutdown() async {
    guard let parts = parts.withLock({ $0.take() }) else { return }
    await parts.server.shutdown { core.endStreams() }
    parts.housekeeping.cancel()
    await parts.housekeeping.value
    await core.endHosted()
  }

  /// Serves until the service group shuts down.
  package func run() async throws {
    _ = try await start()
    try? await gracefulShutdown()
    await shutdown()
  }
}
