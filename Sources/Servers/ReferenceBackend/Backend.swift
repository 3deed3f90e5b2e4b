import Hummingbird
import HummingbirdHTTP3
public import Logging
public import ServiceLifecycle
public import StreamTransport
import Synchronization

/// A backend for the session contract: sessions, turns, tools and a durable event stream, over HTTP/3, HTTP/2 and
/// HTTP/1.1 on one port number.
///
/// ```swift
/// let backend = Backend(configuration, logger: logger)
/// let address = try await backend.start()
/// …
/// await backend.shutdown()
/// ```
public final class Backend: Service, Sendable {
  private struct Parts {
    let core: BackendCore
    let server: MultiProtocolServer<RouterResponder<BasicRequestContext>>
    let housekeeping: Task<Void, Never>
  }

  private enum State {
    case idle
    case starting
    case running(Parts)
    case stopped
  }

  private let state = Mutex(State.idle)
  private let configuration: BackendConfiguration
  private let logger: Logger

  /// A backend that was not started yet.
  public init(_ configuration: BackendConfiguration, logger: Logger) {
    self.configuration = configuration
    self.logger = logger
  }

  /// Opens the database and listens; returns once requests are taken. Throws ``BackendError`` or
  /// `MultiProtocolError`.
  public func start() async throws -> BoundAddress {
    let isFirst = state.withLock { state in
      guard case .idle = state else { return false }
      state = .starting
      return true
    }
    guard isFirst else { throw BackendError(.state, "The backend was started before; make a new one.") }
    do {
      return try await serve(try await open())
    } catch {
      state.withLock { $0 = .stopped }
      throw error
    }
  }

  private func open() async throws -> BackendCore {
    do {
      return try await BackendCore(
        storage: try configuration.sharedDatabase?.storage
          ?? BackendDatabase(path: configuration.databasePath).storage(),
        apiKeys: configuration.apiKeys,
        operatorKey: configuration.operatorKey, model: configuration.model, settings: configuration.settings,
        faults: configuration.faults, clock: configuration.clock, logger: logger)
    } catch {
      // Nobody else has it, and its connections would stay.
      await configuration.model.shutdown()
      throw error
    }
  }

  private func serve(_ core: BackendCore) async throws -> BoundAddress {
    var listener = MultiProtocolConfiguration(
      address: configuration.address, port: configuration.port, identities: configuration.identities,
      serverName: "agent-stream", drainTimeout: configuration.drainTimeout,
      http3: configuration.http3)
    listener.sockets = configuration.sockets
    listener.accessLog = configuration.accessLog
    listener.clientCertificates = configuration.clientCertificates
    let server = MultiProtocolServer(
      responder: core.makeResponder(files: configuration.filesFolder), configuration: listener, logger: logger)
    do {
      let port = try await server.start()
      let housekeeping = Task { [clock = configuration.clock, logger] in
        await Self.runHousekeeping(core, clock, logger)
      }
      state.withLock { $0 = .running(Parts(core: core, server: server, housekeeping: housekeeping)) }
      return BoundAddress(address: configuration.sockets?.address ?? configuration.address, port: port)
    } catch {
      await core.close()
      throw error
    }
  }

  /// Presents another certificate from the next handshake on; open connections stay.
  ///
  /// Throws ``BackendError`` when the backend does not run, and `MultiProtocolError` when the certificate and the key cannot
  /// be used; nothing changes then.
  public func useCertificate(_ certificatePEM: String, privateKeyPEM: String) throws {
    try use([ServerIdentity(certificatePEM: certificatePEM, privateKeyPEM: privateKeyPEM)])
  }

  /// Presents other certificates from the next handshake on, all at once; open connections stay.
  ///
  /// Throws as ``useCertificate(_:privateKeyPEM:)`` does, also where there are none.
  ///
  /// - Parameter clientAuthoritiesPEM: takes the place of the authorities in
  ///   ``BackendConfiguration/clientCertificates``; nil leaves them as they are. Throws for a backend that asks for no
  ///   certificates.
  public func use(_ identities: [ServerIdentity], clientAuthoritiesPEM: String? = nil) throws {
    guard case .running(let parts) = state.withLock({ $0 }) else {
      throw BackendError(.state, "The backend does not run; start it before its certificate is replaced.")
    }
    try parts.server.use(identities, clientAuthoritiesPEM: clientAuthoritiesPEM)
  }

  /// Lets running turns end within the drain time, ends the event streams gracefully, and closes the database. When it
  /// is next opened, turns that wait for tools keep waiting, and others that ran longer are reported as interrupted. A turn
  /// that waits for a person's approval is therefore not waited for, unless there is no file to find it in. Does nothing when
  /// not running.
  public func shutdown() async {
    let parts = state.withLock { state -> Parts? in
      guard case .running(let parts) = state else { return nil }
      state = .stopped
      return parts
    }
    guard let parts else { return }
    parts.housekeeping.cancel()
    let outlives = configuration.databasePath != nil || configuration.sharedDatabase != nil
    await Self.wait(atMost: configuration.drainTimeout) { [turns = parts.core.turns] in
      if outlives { await turns.waitUntilHeld() } else { await turns.waitUntilIdle() }
    }
    await parts.core.stopTurns()
    // The streams would outlast the drain.
    await parts.server.shutdown { parts.core.endStreams() }
    await parts.core.close()
  }

  private static func wait(atMost limit: Duration, _ turns: @escaping @Sendable () async -> Void) async {
    let idle = OneShot<Void>()
    Task {
      await turns()
      idle.answer(.success(()))
    }
    let alarm = Task {
      try await Task.sleep(for: limit)
      idle.answer(.success(()))
    }
    try? await idle.value()
    alarm.cancel()
  }

  /// Serves until the service group shuts down.
  public func run() async throws {
    let address = try await start()
    logger.notice("listening on \(address.url)")
    try? await gracefulShutdown()
    await shutdown()
  }

  private static func runHousekeeping(_ core: BackendCore, _ clock: any Clock<Duration>, _ logger: Logger) async {
    while true {
      do { try await core.prune() } catch is CancellationError { return } catch {
        logger.warning("old events could not be dropped, and are later: \(error)")
      }
      do { try await clock.sleep(for: .seconds(3_600)) } catch { return }
    }
  }
}
