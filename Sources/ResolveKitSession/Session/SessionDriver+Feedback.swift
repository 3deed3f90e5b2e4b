import Foundation
import Logging
package import ResolveKitCore
import ResolveKitNetworking
import StreamTransport

/// Asking a person for a rating.
extension SessionDriver {
  /// Whether an event is of a replayed history: who was there then was asked then.
  func isPast(_ timestamp: String?) -> Bool {
    guard let takenUpAt, let sent = timestamp.flatMap({ Date(contractTime: $0) }) else { return false }
    return sent < takenUpAt
  }

  func feedbackRequested(immediate: Bool) {
    switch feedback.step(immediate: immediate) {
    case .ignore: return
    case .showNow:
      feedback.timer?.cancel()
      showFeedback()
    case .showAfterDelay:
      feedback.timer?.cancel()
      feedback.timer = Task { [weak self, clock = configuration.clock] in
        guard (try? await clock.sleep(FeedbackPrompt.delay)) != nil, !Task.isCancelled else { return }
        await self?.showFeedback()
      }
    }
  }

  private func showFeedback() {
    feedback.shown()
    hub.send(.feedback(isRequested: true))
  }

  func withdrawFeedback() {
    if feedback.withdraw() { hub.send(.feedback(isRequested: false)) }
  }

  package func dismissFeedback() {
    feedback.dismissed()
    withdrawFeedback()
  }

  /// Throws what the call throws: of a session that was rated before, the first rating counts.
  package func submitFeedback(_ rating: ResolveKitFeedbackRequest) async throws {
    withdrawFeedback()
    guard let session else { throw ResolveKitStartError(isBlocked: false, message: "There is no session to rate.") }
    do {
      try await api.submitFeedback(rating, session: session)
    } catch ResolveKitAPIClientError.serverError(statusCode: 409, let words) {
      logger.info("the session was rated before, and that rating counts")
      feedback.submitted()
      throw ResolveKitAPIClientError.serverError(statusCode: 409, message: words)
    }
    feedback.submitted()
  }
}
