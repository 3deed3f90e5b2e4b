/// The decision of an app's policy on a tool call that needs approval.
public enum ResolveKitApprovalDecision: Equatable, Sendable {
  /// Run it without asking.
  case allow
  /// Don't run it; the model learns that it was declined.
  case deny
  /// Ask a person: see `ResolveKitRuntime.pendingApproval`.
  case ask
}
