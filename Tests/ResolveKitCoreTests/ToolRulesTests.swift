import Testing

@testable import ResolveKitCore

struct ToolRulesTests {
  private let tool = ToolPolicy(name: "runs", requiresApproval: true, fingerprint: "f")
  private let call = CallScript.call("a")

  private func rules() -> ToolRules {
    var rules = ToolRules()
    rules.use([tool])
    return rules
  }

  @Test func aNameIsItsBytes() {
    var rules = rules()
    rules.use([ToolPolicy(name: "caf\u{E9}", requiresApproval: false)])
    #expect(rules["caf\u{E9}"] != nil && rules["cafe\u{301}"] == nil && rules["runs"] == nil)
  }

  @Test func aDecisionForLongerIsKeptByTheShellOnce() {
    var rules = rules()
    let kept = StandingApproval(fingerprint: "f", toolName: "runs", verdict: .allow)
    #expect(CallScript.actions { rules.apply(.approveAlways, on: call, &$0) } == [.keepApproval(kept)])
    #expect(CallScript.actions { rules.apply(.approveAlways, on: call, &$0) } == [])
    #expect(rules.verdict(on: call) == .allow)
  }

  @Test func aDecisionOnOneCallSaysNothingOfLaterOnes() {
    var rules = rules()
    #expect(CallScript.actions { rules.apply(.approveOnce, on: call, &$0) } == [])
    #expect(CallScript.actions { rules.apply(.deny, on: call, &$0) } == [])
    #expect(rules.verdict(on: call) == nil)
  }

  @Test func withoutAFingerprintAnAllowanceEndsWithTheSession() {
    var rules = ToolRules()
    rules.use([ToolPolicy(name: "runs", requiresApproval: true)])
    #expect(CallScript.actions { rules.apply(.approveAlways, on: call, &$0) } == [])
    #expect(rules.verdict(on: call) == .allow)
    rules.forgetSession()
    #expect(rules.verdict(on: call) == nil)
  }

  @Test func denyBeatsAllow() {
    var rules = rules()
    rules.replaceStanding(by: [StandingApproval(fingerprint: "f", toolName: "runs", verdict: .deny)])
    #expect(rules.verdict(on: call, policy: .allow) == .deny)
  }

  @Test func theSuccessorKeepsWhatStandsAndNoFunctions() {
    var rules = rules()
    _ = CallScript.actions { rules.apply(.approveForSession, on: call, &$0) }
    var next = rules.successor()
    #expect(next["runs"] == nil)
    next.use([tool])
    #expect(next.verdict(on: call) == nil)
    _ = CallScript.actions { rules.apply(.denyAlways, on: call, &$0) }
    #expect(rules.successor().verdict(on: tool) == .deny)
  }
}
