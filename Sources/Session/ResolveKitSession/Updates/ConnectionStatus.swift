import ResolveKitCore
import StreamTransport

/// The published state of the connection, and who waits for its first open stream or its end.
struct ConnectionStatus {
  private(set) var state: ResolveKitConnectionState = .idle
  private(set) var reason: String?
  /// The HTTP version in use; nil before the first connection.
  private(set) var transport: TransportKind?
  /// The reason for which HTTP/3 is not used, in the race's words.
  private var fallbackReason: String?
  /// The time before the stream is tried again; nil where that is not known.
  private var nextTry: Duration?
  private var lastUpdate: ResolveKitConnectionUpdate?
  private var waiters: [CheckedContinuation<Void, Never>] = []

  /// Whether the connection has its first open stream, or its end.
  var isSettled: Bool {
    switch state {
    case .idle, .active, .reconnected, .failed, .blocked: true
    case .registering, .connecting, .reconnecting: false
    }
  }

  /// Whether only a start leads on.
  var isOver: Bool {
    switch state {
    case .idle, .failed, .blocked: true
    case .registering, .connecting, .active, .reconnecting, .reconnected: false
    }
  }

  /// A connection was made.
  mutating func take(_ connection: ConnectionInfo) {
    transport = connection.transport
    switch connection.transport {
    case .http1: fallbackReason = connection.reason
    case .http3: fallbackReason = nil
    }
  }

  /// The time until the next try, for the updates that follow; nil once those are made.
  mutating func setNextTry(_ delay: Duration?) { nextTry = delay }

  /// Takes a new state, and returns the update to publish.
  mutating func change(
    to state: ResolveKitConnectionState, attempt: Int, reason: String?
  ) -> ResolveKitConnectionUpdate {
    self.state = state
    self.reason = reason
    let update = ResolveKitConnectionUpdate(
      state: state, attempt: attempt, nextTry: nextTry, reason: reason ?? fallbackReason, transport: transport)
    lastUpdate = update
    if isSettled {
      for waiter in waiters { waiter.resume() }
      waiters = []
    }
    return update
  }

  /// The last update again, now that the time until the next try is known; nil where no try comes.
  func waiting(_ delay: Duration) -> ResolveKitConnectionUpdate? {
    guard var update = lastUpdate, update.state == .reconnecting || update.state == .connecting else { return nil }
    update.nextTry = delay
    return update
  }

  /// Resumes the waiter once the connection is settled.
  mutating func settle(_ waiter: CheckedContinuation<Void, Never>) {
    if isSettled { waiter.resume() } else { waiters.append(waiter) }
  }
}
