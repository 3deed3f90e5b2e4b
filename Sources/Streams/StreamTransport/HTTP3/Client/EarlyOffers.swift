import Synchronization

/// Safe requests that wait for a connection that takes them before its handshake is complete.
final class EarlyOffers: Sendable {
  typealias Offer = HTTP3ClientConnection?

  private struct State {
    /// The connection of the opening that is under way, while it takes early data.
    var current: HTTP3ClientConnection?
    var waiters: [ObjectIdentifier: OneShot<Offer>] = [:]
  }

  private let state = Mutex(State())

  /// The connection to send early data on; nil when the opening that is under way, or the next one, has none.
  func value() async -> Offer {
    let waiter = OneShot<Offer>()
    let current = state.withLock { state -> HTTP3ClientConnection? in
      if state.current == nil { state.waiters[ObjectIdentifier(waiter)] = waiter }
      return state.current
    }
    if let current { return current }
    defer { state.withLock { _ = $0.waiters.removeValue(forKey: ObjectIdentifier(waiter)) } }
    return (try? await waiter.value()) ?? nil
  }

  /// A connection of an opening was made; it takes early data, or it does not. Who waits has to do with the first.
  func announce(_ connection: HTTP3ClientConnection) {
    let offer = connection.takesEarlyData ? connection : nil
    let waiters = state.withLock { state in
      // The latest: those before it have not been answered for a while.
      if let offer { state.current = offer }
      defer { state.waiters = [:] }
      return state.waiters.values
    }
    for waiter in waiters { waiter.answer(.success(offer)) }
  }

  /// The opening is over.
  func end() {
    let waiters = state.withLock { state in
      state.current = nil
      defer { state.waiters = [:] }
      return state.waiters.values
    }
    for waiter in waiters { waiter.answer(.success(nil)) }
  }
}
