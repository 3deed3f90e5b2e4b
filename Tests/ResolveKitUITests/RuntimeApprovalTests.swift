import Synchronization
import Testing

@testable import ResolveKitUI

@Suite(.timeLimit(.minutes(10)))
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

  /// The runtime may hear of the first question after another reader has answered it, and of the second one later still.
  @Test func aDecisionIsNotTakenForABatchThatWasAnswered() async throws {
    let results = Mutex(0)
    let server = ContractServer(
      onMessage: { server, turn, request, _ in
        RuntimeTurnTests.call(server, turn: turn, request: request, tool: "ask_first", key: "answered-1")
      },
      onToolResult: { server, _ in
        let count = results.withLock { count in
          count += 1
          return count
        }
        if count == 2 { return RuntimeTurnTests.answer(server, turn: "t1", request: "", ["done"]) }
        RuntimeTurnTests.call(server, turn: "t1", request: "", tool: "ask_first", key: "answered-2")
      })
    let first = Mutex<Int?>(nil)
    let updates = try await Conversation(server: server).updates(of: "go") { runtime, update in
      guard case .approvalNeeded(let batch, _) = update else { return }
      let stale = first.withLock { first in
        defer { first = first ?? batch }
        return first
      }
      await runtime.driver?.decide(.approveOnce, shown: stale)
    }
    #expect(updates.finishedTurn?.text == "done")
    #expect(RunCounter.count("answered-1") == 1 && RunCounter.count("answered-2") == 1)
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
