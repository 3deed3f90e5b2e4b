/// A person's word on calls of one batch.
package enum ApprovalDecision: Codable, Equatable, Sendable {
  case approveOnce
  /// Also every later call of the same tool, as long as its definition stays and the runtime lives.
  case approveForSession
  case deny
}
