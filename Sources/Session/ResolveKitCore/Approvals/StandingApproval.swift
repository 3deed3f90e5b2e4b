/// A decision that outlives the program: what it is bound to, and what it says.
package struct StandingApproval: Codable, Equatable, Sendable {
  package let fingerprint: String
  /// For people; the fingerprint alone binds.
  package let toolName: String
  package let verdict: ApprovalVerdict

  package init(fingerprint: String, toolName: String, verdict: ApprovalVerdict) {
    self.fingerprint = fingerprint
    self.toolName = toolName
    self.verdict = verdict
  }
}
