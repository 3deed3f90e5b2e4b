/// The reach of a person's yes.
public enum ResolveKitApprovalScope: Hashable, Sendable, CaseIterable {
  /// These calls.
  case once
  /// Later calls of the same tools too, as long as their definition stays and the session lasts.
  case session
  /// Later calls of the same tools too, as long as their definition stays, until ``ResolveKitRuntime/revokeToolApproval(_:)``.
  case always
}
