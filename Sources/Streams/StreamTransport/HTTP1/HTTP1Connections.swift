import CLinux
import HTTP3Engine
import Synchronization

/// The connections of one transport, shared with their event loops.
final class HTTP1Connections: Sendable {
  private struct State {
    var pool: HTTP1Pool<HTTP1Connection>
    /// And the files of the client's certificate, as they were before it was made.
    var connector: (value: HTTP1Connector, files: [FileStamp])?
    var epoch = 0
  }

  private let state: Mutex<State>
  private let metrics: ProtocolMetrics
  private let idleLimit: Duration
  private let suspendedTime: @Sendable () -> UInt64

  init(
    _ configuration: HTTP1TransportConfiguration, suspendedTime: @escaping @Sendable () -> UInt64,
    metrics: ProtocolMetrics
  ) {
    self.metrics = metrics
    self.suspendedTime = suspendedTime
    idleLimit = configuration.idleLimit
    state = Mutex(State(pool: HTTP1Pool(maximumIdle: configuration.maximumIdleConnections)))
  }

  /// Counts how often all was closed: a connection that began before belongs to nobody.
  var epoch: Int { state.withLock { $0.epoch } }

  var any: HTTP1Connection? {
    closeStale()
    return state.withLock { $0.pool.any }
  }

  /// The connector, made once, as reading the trusted authorities takes time, and again where the files of the client's
  /// certificate have changed.
  func connector(
    of identity: ClientIdentity?, _ make: () throws(TransportError) -> HTTP1Connector
  ) throws(TransportError) -> HTTP1Connector {
    let files = identity?.stamps ?? []
    if let made = state.withLock({ $0.connector }), made.files == files { return made.value }
    let new = try make()
    return state.withLock { state in
      if let kept = state.connector, kept.files == files { return kept.value }
      state.connector = (new, files)
      return new
    }
  }

  func takeIdle() -> HTTP1Connection? {
    closeStale()
    return state.withLock { $0.pool.takeIdle() }
  }

  /// In nanoseconds, those in which the machine was suspended among them.
  private var now: UInt64 { clinux_now() &+ suspendedTime() }

  /// Closes what has waited for longer than the idle limit, whose timer stands still while the machine is suspended.
  private func closeStale() {
    let limit = UInt64(clamping: idleLimit.nanosecondsClamped)
    let now = now
    guard now > limit else { return }
    let stale = state.withLock { $0.pool.removeIdle(before: now - limit) }
    for connection in stale {
      connection.close(TransportError(.connectionLost, "The connection was idle for too long."))
    }
  }

  /// Takes a new connection in, in use; false where all was closed since `epoch`.
  func add(_ connection: HTTP1Connection, epoch: Int) async -> Bool {
    let isCurrent = state.withLock { state in
      guard state.epoch == epoch else { return false }
      state.pool.add(connection)
      return true
    }
    guard isCurrent else { return false }
    // The connection is held: where all else is gone, the end of what runs on it still has to close it.
    await connection.observe { [weak self] in
      guard let self else { return connection.close(.closedByCaller()) }
      self.park(connection)
    } onClose: { [weak self, metrics, id = connection.id] reason in
      metrics.connectionClosed(reason)
      self?.forget(id)
    }
    return true
  }

  /// Keeps a connection for the next request.
  func park(_ connection: HTTP1Connection) {
    let now = now
    let surplus = state.withLock { $0.pool.park(connection, at: now) }
    connection.wasParked()
    surplus?.close(TransportError(.connectionLost, "More connections were idle than are kept."))
  }

  private func forget(_ id: HTTP1Connection.ID) {
    state.withLock { $0.pool.forget(id) }
  }

  func closeAll(_ error: TransportError) {
    let all = state.withLock { state in
      state.epoch += 1
      return state.pool.removeAll()
    }
    for connection in all { connection.close(error) }
  }

  /// Closes what waits for a request; what is in use ends with its response.
  func closeIdle() {
    var idle: [HTTP1Connection] = []
    while let connection = takeIdle() { idle.append(connection) }
    for connection in idle { connection.close(.closedByCaller()) }
  }
}
