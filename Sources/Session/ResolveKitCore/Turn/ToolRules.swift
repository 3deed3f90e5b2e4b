/// The functions of the program, and what has been decided about them for longer than one call.
struct ToolRules: Equatable, Sendable {
  private var tools: [String: ToolPolicy] = [:]
  private var decisions = ApprovalRules()

  /// The functions that the program can run from now on.
  mutating func use(_ policies: [ToolPolicy]) {
    tools = Dictionary(policies.map { ($0.name, $0) }, uniquingKeysWith: { _, last in last })
  }

  /// The function of exactly these bytes: a name that is only canonically equivalent is another name.
  subscript(name: String) -> ToolPolicy? { tools[name].flatMap { $0.name.hasSameBytes(as: name) ? $0 : nil } }

  /// The verdict of earlier decisions; nil where there is none.
  func verdict(on tool: ToolPolicy) -> ApprovalVerdict? { decisions.verdict(on: tool) }

  /// The verdict of earlier decisions and the app's policy together; nil where a person is to be asked.
  func verdict(on call: ToolCall, policy: ApprovalVerdict? = nil) -> ApprovalVerdict? {
    ApprovalVerdict.strictest(policy, self[call.functionName].flatMap { decisions.verdict(on: $0) })
  }

  /// Takes what a decision on a call says about later ones.
  mutating func apply(_ decision: ApprovalDecision, on call: ToolCall, _ effects: inout TurnEffects) {
    if let tool = self[call.functionName] { decisions.apply(decision, to: tool, &effects) }
  }

  mutating func replaceStanding(by approvals: [StandingApproval]) { decisions.replaceStanding(by: approvals) }

  /// Another session: what was allowed for the one before is asked about again.
  mutating func forgetSession() { decisions.forgetSession() }

  /// Knows the decisions that stand beyond a session, and no functions yet.
  func successor() -> ToolRules {
    var next = ToolRules()
    next.decisions = decisions
    next.decisions.forgetSession()
    return next
  }
}
