import ResolveKitCore
import StreamTransport

/// Renews the capability token before it ends. A token lives 30 minutes from its issue, however much it is used
/// (contract § 2.2). Nothing of the renewal is seen: an open stream continues, and later calls carry the new token.
struct TokenRenewal {
  static let tokenLifetime = Duration.seconds(30 * 60)
  /// The rest of a token's life when its renewal begins: time for tries that fail.
  static let lead = Duration.seconds(5 * 60)
  static let pause = Duration.seconds(30)
  /// From a token's issue to its renewal.
  static let interval = tokenLifetime - lead

  private let clock: TransportClock
  private var task: Task<Void, Never>?

  init(clock: TransportClock) { self.clock = clock }

  /// Calls `renew` when a new token's time has come, and again after the time that each call returns, until it returns nil.
  mutating func schedule(_ renew: @escaping @Sendable () async -> Duration?) {
    cancel()
    task = Task { [clock] in
      var wait = Self.interval
      while (try? await clock.sleep(wait)) != nil, !Task.isCancelled {
        guard let next = await renew() else { return }
        wait = next
      }
    }
  }

  mutating func cancel() {
    task?.cancel()
    task = nil
  }

  /// The wait after a renewal that failed; nil where trying again does not help.
  static func wait(after failure: RequestFailure) -> Duration? {
    guard failure.kind == .transient else { return nil }
    return max(pause, .seconds(failure.retryAfterSeconds ?? 0))
  }
}
