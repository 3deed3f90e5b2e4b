import Synchronization

/// The connections of one transport: the one that takes requests, and those that still finish theirs.
final class HTTP3Connections: Sendable {
  private struct State {
    var current: HTTP3ClientConnection?
    var leaving: [HTTP3ClientConnection] = []
    /// The number of times that the transport was closed: a connection begun before is not wanted any more.
    var epoch = 0
  }

  private let state = Mutex(State())

  /// The connection for the next request; nil when a new one is needed.
  var usable: HTTP3ClientConnection? {
    state.withLock { state in
      guard let current = state.current else { return nil }
      return current.isUsable.load(ordering: .relaxed) ? current : nil
    }
  }

  /// The last connection, usable or not.
  var current: HTTP3ClientConnection? { state.withLock { $0.current } }
  /// The last connection while its path is silent.
  var suspect: HTTP3ClientConnection? {
    get async {
      guard let current, await current.isSuspect else { return nil }
      return current
    }
  }
  /// The connection that `info` is of, while it lives.
  func connection(_ info: ConnectionInfo) async -> HTTP3ClientConnection? {
    var info = info
    // A race's words, of which the connection knows nothing. What is left names it: no two take the same nanoseconds.
    info.reason = nil
    let all = state.withLock { [$0.current].compactMap(\.self) + $0.leaving }
    for connection in all where await connection.info == info { return connection }
    return nil
  }
  var epoch: Int { state.withLock { $0.epoch } }

  /// Makes `connection` the one for new requests; false if the transport was closed since `epoch`.
  func adopt(_ connection: HTTP3ClientConnection, epoch: Int) async -> Bool {
    let before = state.withLock { state -> HTTP3ClientConnection?? in
      guard state.epoch == epoch else { return nil }
      let before = state.current
      state.current = connection
      if let before { state.leaving.append(before) }
      return .some(before)
    }
    guard let before else { return false }
    // One whose path answered too late would else stay for ever.
    await before?.retire()
    let leaving = state.withLock { $0.leaving }
    var over: Set<ObjectIdentifier> = []
    for connection in leaving where await !connection.isLive { over.insert(ObjectIdentifier(connection)) }
    state.withLock { $0.leaving.removeAll { over.contains(ObjectIdentifier($0)) } }
    return true
  }

  func closeAll(_ reason: TransportError) async {
    for connection in takeAll() { await connection.close(reason) }
  }

  /// Closes without waiting, for an owner that goes away.
  func abandon(_ reason: TransportError) {
    for connection in takeAll() { connection.onLoop { $0.close(reason) } }
  }

  private func takeAll() -> [HTTP3ClientConnection] {
    state.withLock { state in
      state.epoch += 1
      defer {
        state.current = nil
        state.leaving = []
      }
      return state.leaving + [state.current].compactMap { $0 }
    }
  }
}
