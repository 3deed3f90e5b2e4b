import Observation
import ResolveKitCore

/// The state that ends with a session: its question, its escalation and its request for a rating.
@MainActor
@Observable
final class RuntimeSession {
  private(set) var pendingApproval: ResolveKitApprovalRequest?
  private(set) var isEscalated = false
  private(set) var escalationReason: String?
  private(set) var isFeedbackRequested = false
  @ObservationIgnored private var id: String?

  /// Enters a session; another one than before begins without a question, an escalation or a request.
  func enter(_ id: String) {
    if id != self.id { reset() }
    self.id = id
  }

  func ask(_ question: ResolveKitApprovalRequest?) { pendingApproval = question }

  func escalate(_ reason: String) {
    isEscalated = true
    escalationReason = reason
  }

  func requestFeedback(_ isRequested: Bool) { isFeedbackRequested = isRequested }

  /// Leaves the session.
  func reset() {
    id = nil
    pendingApproval = nil
    isEscalated = false
    escalationReason = nil
    isFeedbackRequested = false
  }
}
