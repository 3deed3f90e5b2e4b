import Logging
import ResolveKitCore
import ResolveKitNetworking
import StreamTransport

/// The capability token lives 30 minutes from its issue, however much it is used (contract § 2.2); it is renewed before,
/// and nothing of that is seen: an open stream goes on, and later calls carry the new token.
extension SessionDriver {
  static let tokenLifetime = Duration.seconds(30 * 60)
  /// What is left of a token's life when its renewal begins: time for tries that fail.
  static let renewalLead = Duration.seconds(5 * 60)
  static let renewalPause = Duration.seconds(30)

  func scheduleRenewal() {
    renewal?.cancel()
    renewal = Task { [weak self, clock = configuration.clock] in
      var wait = Self.tokenLifetime - Self.renewalLead
      while (try? await clock.sleep(wait)) != nil, !Task.isCancelled {
        guard let next = await self?.renewToken() else { return }
        wait = next
      }
    }
  }

  /// Returns when to renew again; nil where this token is left to its end, after which the turn machine's way to a new
  /// session is taken.
  private func renewToken() async -> Duration? {
    guard let old = session else { return nil }
    let context = context()
    do {
      let new = try await api.createSession(sessionRequest(context, reusesActive: true))
      guard !Task.isCancelled, session?.id == old.id else { return nil }
      guard new.id == old.id else {
        logger.notice("the session can't be renewed: the server takes up another one for this device")
        return nil
      }
      session = new
      sentContext = context
      logger.debug("the session's token was renewed")
      return Self.tokenLifetime - Self.renewalLead
    } catch {
      let failure = Self.failure(error)
      logger.info("the session's token was not renewed: \(failure)")
      guard failure.kind == .transient else { return nil }
      return max(Self.renewalPause, .seconds(failure.retryAfterSeconds ?? 0))
    }
  }
}
