/// The failure to take a decision: a code to branch on, a sentence to show, a cause.
package struct ApprovalError: Error, CustomStringConvertible, Sendable {
  package enum Code: Hashable, Sendable {
    /// The request may be allowed or declined once, no wider.
    case onceOnly
    /// A person decided permanently that it is never allowed.
    case denied
    /// No more decisions fit in.
    case full
    /// The decision could not be kept.
    case storage
    /// The audit log could not be written, without which nothing is allowed.
    case audit
  }

  package let code: Code
  package let message: String
  package let cause: (any Error)?

  init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  package var description: String { message }

  static let onceOnly = ApprovalError(
    .onceOnly,
    "This can be allowed once only, because what else it would allow is not known; decide 'approve' or 'decline'.")
  static let full = ApprovalError(
    .full,
    "There are \(ApprovalPolicy.maximumAllowances) decisions, more are not kept; revoke some with 'companion approvals "
      + "revoke'.")
  static let tooManySessions = ApprovalError(
    .full, "Too much is allowed for chats already; decide 'approve', or restart the companion to forget it.")

  static func denied(_ scope: AllowanceScope) -> ApprovalError {
    ApprovalError(
      .denied, "It was decided that this is never allowed; 'companion approvals revoke \(scope.id)' takes that back.")
  }

  static func storage(_ cause: StoreError) -> ApprovalError {
    ApprovalError(.storage, "The decision could not be kept: \(cause.message)", cause: cause)
  }

  static func audit(_ cause: StoreError) -> ApprovalError {
    ApprovalError(.audit, "Nothing is allowed while the audit log cannot be written: \(cause.message)", cause: cause)
  }
}
