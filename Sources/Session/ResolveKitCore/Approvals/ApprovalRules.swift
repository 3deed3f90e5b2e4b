/// Decisions about tools that outlive one call.
struct ApprovalRules: Equatable, Sendable {
  /// The standing verdicts by fingerprint; kept by the shell beyond the program's end.
  private var standing: [[UInt8]: ApprovalVerdict] = [:]
  /// The tools that a person has allowed until the session ends.
  private var allowedForSession: Set<[UInt8]> = []

  /// The rules' verdict on a call of the tool; nil where no rule applies. Deny beats allow.
  func verdict(on tool: ToolPolicy) -> ApprovalVerdict? {
    ApprovalVerdict.strictest(
      tool.fingerprint.isEmpty ? nil : standing[Array(tool.fingerprint.utf8)],
      allowedForSession.contains(Self.stamp(of: tool)) ? .allow : nil)
  }

  /// Takes what a decision says beyond the call that it was made on, and has the shell keep what outlives the program.
  mutating func apply(_ decision: ApprovalDecision, to tool: ToolPolicy, _ effects: inout TurnEffects) {
    switch decision {
    case .approveOnce, .deny: break
    case .approveForSession: allowForSession(tool)
    case .approveAlways:
      if tool.fingerprint.isEmpty { allowForSession(tool) } else { keep(.allow, on: tool, &effects) }
    case .denyAlways: keep(.deny, on: tool, &effects)
    }
  }

  private mutating func keep(_ verdict: ApprovalVerdict, on tool: ToolPolicy, _ effects: inout TurnEffects) {
    if let approval = stand(verdict, on: tool) { effects.emit(.keepApproval(approval)) }
  }

  mutating func allowForSession(_ tool: ToolPolicy) { allowedForSession.insert(Self.stamp(of: tool)) }

  /// Another session: what was allowed for the one before is asked about again.
  mutating func forgetSession() { allowedForSession = [] }

  /// Answers what the shell should keep; nil where that is known already, or the tool has no fingerprint to bind it to.
  mutating func stand(_ verdict: ApprovalVerdict, on tool: ToolPolicy) -> StandingApproval? {
    guard !tool.fingerprint.isEmpty, standing.updateValue(verdict, forKey: Array(tool.fingerprint.utf8)) != verdict
    else { return nil }
    return StandingApproval(fingerprint: tool.fingerprint, toolName: tool.name, verdict: verdict)
  }

  /// All standing decisions as the shell has them now; of two on one tool the stricter counts.
  mutating func replaceStanding(by approvals: [StandingApproval]) {
    standing = Dictionary(
      approvals.map { (Array($0.fingerprint.utf8), $0.verdict) },
      uniquingKeysWith: { $0.stricter(than: $1) ? $0 : $1 })
  }

  /// Injective: the name's length comes first, so that no two pairs of name and definition share a stamp.
  private static func stamp(of tool: ToolPolicy) -> [UInt8] {
    Array("\(tool.name.utf8.count):\(tool.name)\(tool.fingerprint)".utf8)
  }
}
