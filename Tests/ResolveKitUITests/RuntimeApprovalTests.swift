import ResolveKitUI
import SessionSupport
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(10)))
struct RuntimeApprovalTests {
  private static func server(_ key: String) -> ContractServer {
    ContractServer(
      onMessage: { server, turn, request, _ in
        server.requestCall(turn: turn, request: request, tool: "ask_first", key: key)
      },
      onToolResult: { server, result in
        server.streamAnswer(turn: "t1", request: "", [result["status"]?.stringValue ?? "?"])
      })
  }

  @Test func approvedCallRuns() async throws {
    let updates = try await Conversation(server: Self.server("approved")).updates(of: "go") { runtime, update in
      guard case .approvalNeeded(let question) = update else { return }
      #expect(await runtime.approveToolCallBatch(question) == .counted)
    }
    #expect(updates.finishedTurn?.text == "success")
    #expect(RunCounter.count("approved") == 1)
  }

  @Test func declinedCallIsNotRun() async throws {
    let updates = try await Conversation(server: Self.server("declined")).updates(of: "go") { runtime, update in
      guard case .approvalNeeded(let question) = update else { return }
      #expect(await runtime.declineToolCallBatch(question) == .counted)
    }
    #expect(updates.finishedTurn?.text == "error")
    #expect(RunCounter.count("declined") == 0)
  }

  /// Asks about one call, and about another one when that has its result.
  private static func server(_ first: String, then second: String) -> ContractServer {
    let results = Mutex(0)
    return ContractServer(
      onMessage: { server, turn, request, _ in
        server.requestCall(turn: turn, request: request, tool: "ask_first", key: first)
      },
      onToolResult: { server, _ in
        let count = results.withLock { count in
          count += 1
          return count
        }
        if count == 2 { return server.streamAnswer(turn: "t1", request: "", ["done"]) }
        server.requestCall(turn: "t1", request: "", tool: "ask_first", key: second)
      })
  }

  @Test func aDecisionIsNotTakenForABatchThatWasAnswered() async throws {
    let first = Mutex<ResolveKitApprovalRequest?>(nil)
    let conversation = Conversation(server: Self.server("answered-1", then: "answered-2"))
    let updates = try await conversation.updates(of: "go") { runtime, update in
      guard case .approvalNeeded(let question) = update else { return }
      let stale = first.withLock { first in
        defer { first = first ?? question }
        return first
      }
      if let stale {
        #expect(await runtime.approveToolCallBatch(stale) == .refused(.over))
        #expect(await runtime.approveToolCalls(of: stale, for: .always) == .refused(.over))
        #expect(await runtime.declineToolCallBatch(question) == .counted)
      } else {
        #expect(await runtime.approveToolCallBatch(question) == .counted)
      }
    }
    #expect(updates.finishedTurn?.text == "done")
    #expect(RunCounter.count("answered-1") == 1 && RunCounter.count("answered-2") == 0)
    let notes = updates.compactMap { if case .note(let line) = $0 { line } else { nil } }
    #expect(notes.count { $0.hasPrefix("The decision was not taken") } == 2)
  }

  /// A reader of the updates gets a question before or after the property shows it; what no property shows is not decided.
  @Test func aDecisionWithoutAQuestionCountsForWhatIsPublishedAndForNothingElse() async throws {
    let conversation = Conversation(server: Self.server("published-1", then: "published-2"))
    let runs = Mutex(0)
    let updates = try await conversation.updates(of: "go") { runtime, update in
      guard case .approvalNeeded(let question) = update else { return }
      let isPublished = runtime.pendingApproval == question
      #expect(runtime.pendingToolCall == runtime.pendingApproval?.calls.first)
      let outcome = await runtime.approveToolCalls()
      #expect((outcome == .counted) == isPublished, "\(outcome)")
      // Answered now, whatever the property shows yet.
      #expect((await runtime.approveToolCallBatch(question) == .counted) == !isPublished)
      #expect(await runtime.declineToolCalls(of: question) == .refused(.over))
      runs.withLock { $0 += 1 }
    }
    #expect(updates.finishedTurn?.text == "done")
    #expect(runs.withLock { $0 } == 2)
    #expect(RunCounter.count("published-1") == 1 && RunCounter.count("published-2") == 1)
  }

  @Test @MainActor func aDecisionWithoutAnyQuestionSaysSo() async {
    let runtime = Conversation(server: Self.server("nothing")).runtime()
    let updates = runtime.updates()
    #expect(await runtime.approveToolCalls() == .refused(.nothingShown))
    await runtime.approveToolCallBatch()
    await runtime.denyCurrentToolCall()
    await runtime.finish()
    var notes: [ResolveKitRuntimeUpdate] = []
    for await update in updates { notes.append(update) }
    #expect(notes == Array(repeating: .note("\(ResolveKitDecisionRefusal.nothingShown)"), count: 3))
  }

  /// A call that needs no approval runs beside one that waits.
  @Test @MainActor func theQuestionStaysWhileOtherCallsOfItsBatchRun() async throws {
    let results = Countdown(2)
    let server = ContractServer(
      onMessage: { server, turn, request, _ in
        for tool in ["in_steps", "ask_first"] {
          server.requestCall(turn: turn, request: request, tool: tool, key: "mixed-\(tool)")
        }
      },
      onToolResult: { server, _ in
        if results.step() { server.streamAnswer(turn: "t1", request: "", ["done"]) }
      })
    var conversation = Conversation(server: server)
    conversation.functions = [ToolInSteps.self, AskingTool.self]
    let updates = try await conversation.updates(of: "go") { runtime, update in
      guard case .approvalNeeded(let question) = update else { return }
      while runtime.pendingApproval != question { await Task.yield() }
      ToolInSteps.begin()
      while runtime.toolCallChecklist.first?.progress == nil { await Task.yield() }
      #expect(runtime.toolCallBatchState == .executing)
      #expect(runtime.pendingToolCall?.functionName == "ask_first")
      ToolInSteps.end()
      await runtime.approveCurrentToolCall()
    }
    #expect(updates.finishedTurn?.text == "done")
    #expect(RunCounter.count("mixed-ask_first") == 1)
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

/// Reports its progress and ends when the test says so.
private enum ToolInSteps: AnyResolveKitFunction {
  static let resolveKitName = "in_steps"
  static let resolveKitDescription = "Runs step by step."
  static let resolveKitRequiresApproval = false
  static let resolveKitParametersSchema: JSONObject = [:]
  private static let beginning = AsyncStream.makeStream(of: Void.self)
  private static let ending = AsyncStream.makeStream(of: Void.self)

  static func begin() { beginning.continuation.finish() }
  static func end() { ending.continuation.finish() }

  static func invoke(arguments: JSONObject, context: ResolveKitFunctionContext) async throws -> JSONValue {
    for await _ in beginning.stream {}
    ResolveKitToolProgress.report(fraction: 0.5)
    for await _ in ending.stream {}
    return "done"
  }
}
