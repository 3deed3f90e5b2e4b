import ResolveKitUI
import Testing

@Suite(.timeLimit(.minutes(1)))
struct RuntimeApprovalTests {
  private static func server(_ key: String) -> ContractServer {
    ContractServer(
      onMessage: { server, turn, request, _ in
        RuntimeTurnTests.call(server, turn: turn, request: request, tool: "ask_first", key: key)
      },
      onToolResult: { server, result in
        RuntimeTurnTests.answer(server, turn: "t1", request: "", [result["status"]?.stringValue ?? "?"])
      })
  }

  @Test func approvedCallRuns() async throws {
    let updates = try await Conversation(server: Self.server("approved")).updates(of: "go") { runtime, update in
      guard case .approvalNeeded = update else { return }
      await runtime.approveToolCallBatch()
    }
    #expect(updates.finishedTurn?.text == "success")
    #expect(RunCounter.count("approved") == 1)
  }

  @Test func declinedCallIsNotRun() async throws {
    let updates = try await Conversation(server: Self.server("declined")).updates(of: "go") { runtime, update in
      guard case .approvalNeeded = update else { return }
      await runtime.declineToolCallBatch()
    }
    #expect(updates.finishedTurn?.text == "error")
    #expect(RunCounter.count("declined") == 0)
  }

  @Test(arguments: [ResolveKitApprovalDecision.allow, .deny])
  func policyDecidesWithoutAPerson(decision: ResolveKitApprovalDecision) async throws {
    let key = "policy-\(decision)"
    let conversation = Conversation(server: Self.server(key), policy: { _ in decision })
    let updates = try await conversation.updates(of: "go")
    #expect(updates.finishedTurn?.text == (decision == .allow ? "success" : "error"))
    #expect(RunCounter.count(key) == (decision == .allow ? 1 : 0))
    #expect(!updates.contains { if case .approvalNeeded = $0 { true } else { false } })
  }
}
