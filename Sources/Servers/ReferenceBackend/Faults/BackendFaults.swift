import Synchronization

/// Faults that a backend makes on purpose, for the tests of clients; may be changed at any time.
public final class BackendFaults: Sendable {
  /// An answer in the place of a route's own.
  public struct Refusal: Hashable, Sendable {
    /// The response's status, 400 to 599.
    public var status: Int
    /// `Retry-After` in seconds; nil for none.
    public var retryAfter: Int?

    /// A refusal with this status.
    public init(status: Int, retryAfter: Int? = nil) {
      self.status = status
      self.retryAfter = retryAfter
    }
  }

  private struct State {
    var refusals: [String: [Refusal]] = [:]
    var silentTurns = 0
  }

  /// The faults of events on their way into streams.
  let stream: StreamFaults
  private let state = Mutex(State())

  /// No fault but those of streams.
  public init(stream: StreamFaults = StreamFaults()) {
    self.stream = stream
  }

  /// The next calls of a route are answered so, one each.
  ///
  /// - Parameter route: method and the path's last part, such as `GET events`, `POST messages` or `POST sessions`.
  public func refuse(_ route: String, with refusal: Refusal, times: Int = 1) {
    state.withLock { $0.refusals[route, default: []] += Array(repeating: refusal, count: max(0, times)) }
  }

  /// The next turns end without an event that says so; what was said is in the history.
  public func endSilently(turns: Int) {
    state.withLock { $0.silentTurns += max(0, turns) }
  }

  func takeRefusal(of route: String) -> Refusal? {
    state.withLock { state in
      guard var refusals = state.refusals[route], !refusals.isEmpty else { return nil }
      defer { state.refusals[route] = refusals }
      return refusals.removeFirst()
    }
  }

  func takeSilentEnd() -> Bool {
    state.withLock { state in
      guard state.silentTurns > 0 else { return false }
      state.silentTurns -= 1
      return true
    }
  }
}
