/// A person's decision on calls of one batch.
package enum ApprovalDecision: String, Codable, Equatable, Sendable, CaseIterable {
  case approveOnce
  /// Also every later call of the same tool, as long as its definition stays and the session lasts.
  case approveForSession
  /// Also every later call of the same tool on the same server, as long as its definition stays, until it is revoked.
  case approveAlways
  case deny
  /// Also every later call, as for `approveAlways`.
  case denyAlways

  var approves: Bool {
    switch self {
    case .approveOnce, .approveForSession, .approveAlways: true
    case .deny, .denyAlways: false
    }
  }
}
