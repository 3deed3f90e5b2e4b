import ResolveKitNetworking
import ResolveKitUI
import SessionSupport
import StreamTransport
import Synchronization
import TestSupport
import Testing

/// Decisions that reach further than one call, time-outs and progress, through the runtime's own API.
@Suite(.timeLimit(.minutes(10)))
struct RuntimeDispatchTests {
  private static func ends(_ turn: String = "t1") -> @Sendable (ContractServer, JSONObject) -> Void {
    { server, result in
      let words = [result["status"]?.stringValue ?? "?", result["error"]?.stringValue.map { ": " + $0 } ?? ""]
      server.streamAnswer(turn: turn, request: "", words)
    }
  }

  private static func server(tool: String, _ key: String, timeout: Int = 30) -> ContractServer {
    ContractServer(
      onMessage: { server, turn, request, _ in
        server.requestCall(turn: turn, request: request, tool: tool, key: key, timeout: timeout)
      }, onToolResult: ends())
  }

  private static func asked(_ updates: [ResolveKitRuntimeUpdate]) -> Int {
    updates.count { if case .approvalNeeded = $0 { true } else { false } }
  }

  @Test func anApprovalForAlwaysHoldsForTheNextRuntimeUntilItIsRevoked() async throws {
    let store = ResolveKitApprovalStore()
    let first = Conversation(server: Self.server(tool: "ask_first", "always"), approvals: store)
    let asked = try await first.updates(of: "go") { runtime, update in
      if case .approvalNeeded(let question) = update { await runtime.approveToolCalls(of: question, for: .always) }
    }
    #expect(Self.asked(asked) == 1)
    #expect(asked.finishedTurn?.text == "success")
    #expect(try store.approvals().map(\.toolName) == ["ask_first"])
    #expect(try store.approvals().map(\.verdict) == [.allow])

    let second = Conversation(server: Self.server(tool: "ask_first", "always"), approvals: store)
    let silent = try await second.updates(of: "go")
    #expect(Self.asked(silent) == 0)
    #expect(silent.finishedTurn?.text == "success")

    let id = try #require(try store.approvals().first?.id)
    #expect(try await second.runtime().revokeToolApproval(id))
    let third = Conversation(server: Self.server(tool: "ask_first", "always"), approvals: store)
    let again = try await third.updates(of: "go") { runtime, update in
      if case .approvalNeeded(let question) = update { await runtime.declineToolCalls(of: question, always: true) }
    }
    #expect(Self.asked(again) == 1)
    #expect(try store.approvals().map(\.verdict) == [.deny])
    // Deny beats the app's own policy.
    let fourth = Conversation(
      server: Self.server(tool: "ask_first", "always"), approvals: store, policy: { _ in .allow })
    #expect(try await fourth.updates(of: "go").finishedTurn?.text == "error: User denied action")
    #expect(RunCounter.count("always") == 2)
  }

  @Test func thePolicysNoBeatsAnApprovalForAlways() async throws {
    let store = ResolveKitApprovalStore()
    for policy in [ResolveKitApprovalDecision.ask, .deny] {
      let conversation = Conversation(
        server: Self.server(tool: "ask_first", "policy-no"), approvals: store, policy: { _ in policy })
      _ = try await conversation.updates(of: "go") { runtime, update in
        if case .approvalNeeded(let question) = update { await runtime.approveToolCalls(of: question, for: .always) }
      }
    }
    #expect(RunCounter.count("policy-no") == 1)
  }

  @Test func singleCallsOfABatchAreDecided() async throws {
    let results = Countdown(3)
    let server = ContractServer(
      onMessage: { server, turn, request, _ in
        for key in ["single-a", "single-b", "single-c"] {
          server.requestCall(turn: turn, request: request, tool: "ask_first", key: key)
        }
      },
      onToolResult: { server, _ in
        if results.step() { server.streamAnswer(turn: "t1", request: "", ["done"]) }
      })
    let decided = Mutex<Set<String>>([])
    let updates = try await Conversation(server: server).updates(of: "go") { runtime, update in
      guard case .approvalNeeded(let question) = update else { return }
      #expect(await runtime.approveToolCalls([], of: question) == .refused(.notShown))
      // What is left of a question is asked again after each decision.
      for call in question.calls where decided.withLock({ $0.insert(call.callID).inserted }) {
        if call.callID == "call-single-a" {
          #expect(await runtime.declineToolCalls([call.callID], of: question) == .counted)
        } else {
          #expect(await runtime.approveToolCalls([call.callID], of: question) == .counted)
        }
      }
      #expect(await runtime.approveToolCalls(of: question) == .refused(.over))
    }
    #expect(updates.finishedTurn?.text == "done")
    #expect(["single-a", "single-b", "single-c"].map(RunCounter.count) == [0, 1, 1])
  }

  @Test func invariant10TheTurnContinuesWhileAToolIgnoresItsTimeout() async throws {
    // The clock of a test lets 20 s and less pass at once.
    var conversation = Conversation(server: Self.server(tool: "stubborn", "stubborn", timeout: 5))
    conversation.functions = [StubbornTool.self]
    let updates = try await conversation.updates(of: "go")
    #expect(updates.finishedTurn?.text == "error: Timed out after 5s")
    StubbornTool.release()
  }

  @Test func aLateDecisionIsExplained() async throws {
    let conversation = Conversation(server: Self.server(tool: "ask_first", "late", timeout: 5))
    let runtime = await conversation.runtime()
    let updates = runtime.updates()
    try await runtime.start()
    await runtime.sendMessage("go")
    var question: ResolveKitApprovalRequest?
    for await update in updates {
      if case .batch(let batch) = update {
        question = ResolveKitApprovalRequest(
          batchID: batch.id, turnID: batch.turnID, calls: batch.items.map(\.call))
      }
      if case .turn = update {
        guard let question else {
          Issue.record("The turn ended before a question was asked.")
          break
        }
        let outcome = await runtime.approveToolCalls(["call-late"], of: question)
        #expect(outcome == .refused(.over))
      }
      if case .note(let line) = update, line.contains("The decision was not taken") { break }
    }
    #expect(RunCounter.count("late") == 0)
    await runtime.stop()
  }

  @Test func progressReachesTheChecklist() async throws {
    let server = Self.server(tool: "reports", "reports")
    var conversation = Conversation(server: server)
    conversation.functions = [ReportingTool.self]
    let updates = try await conversation.updates(of: "go") { _, update in
      if case .batch(let batch) = update, batch.items.first?.progress != nil { ReportingTool.release() }
    }
    #expect(updates.finishedTurn?.text == "success")
    #expect(
      updates.contains {
        if case .batch(let batch) = $0 { batch.items.first?.progress?.message == "working" } else { false }
      })
  }
}
