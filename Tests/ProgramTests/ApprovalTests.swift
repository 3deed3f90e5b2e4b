import ResolveKitTerminal
import ResolveKitUI
import Testing

@testable import chat

struct ApprovalTests {
  private let call = ResolveKitPendingToolCall(
    callID: "c", functionName: "list_files\u{1B}[2J", arguments: ["path": "/tmp\u{1B}"], timeoutSeconds: 30,
    humanDescription: "Looks into a folder.", requiresApproval: true)

  @Test(arguments: [
    (ApprovalChoice.all, true, ResolveKitApprovalDecision.allow), (.all, false, .allow), (.none, true, .deny),
    (.none, false, .deny), (.ask, true, .ask), (.ask, false, .deny),
  ])
  func ruleNeverAsksNobody(choice: ApprovalChoice, canAsk: Bool, decision: ResolveKitApprovalDecision) {
    #expect(ApprovalRule(choice: choice, canAsk: canAsk).decision(on: call) == decision)
  }

  @Test func declinedCallIsNamedWithTheRemedy() {
    let notice = ApprovalRule(choice: .ask, canAsk: false).notice(of: call)
    #expect(notice == "chat: list_files\\u001b[2J was declined, for it needs approval; --approve all runs such calls\n")
  }

  @Test func questionShowsTheArgumentsWithoutControls() {
    #expect(
      ApprovalQuestion([call]).text()
        == """
        The agent asks to run list_files\\u001b[2J {"path":"/tmp\\u001b"}
          Looks into a folder.

        """)
    #expect(ApprovalQuestion([call]).prompt == "Run it? y once, s in this session, a always, n no, never: ")
    #expect(ApprovalQuestion([call, call]).prompt.hasPrefix("Run them?"))
  }
}
