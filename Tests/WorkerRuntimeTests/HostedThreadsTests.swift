import CodexRemoteContract
import ResolveKitCore
import Testing

@testable import WorkerRuntime

/// What a hosted codex is asked for, whatever a client asks.
struct HostedThreadsTests {
  private func perform(
    _ codex: ScriptedCodex, _ method: String, _ params: String, _ threads: HostedThreads
  ) async throws -> JSONValue {
    let request = try #require(
      LaneRequest(
        type: "worker.request",
        payload: ["request_id": "r", "method": .string(method), "params": try JSONValue(parsing: params)]))
    return try await LaneDesk(threads).admit(request).perform()
  }

  private static func script() -> ScriptedCodex {
    ScriptedCodex { method in
      switch method {
      case "thread/start", "thread/read": ["thread": ["id": "t", "cwd": "/w"]]
      case "turn/start": ["turn": ["id": "u"]]
      default: [:]
      }
    }
  }

  @Test(arguments: [
    ("thread/start", "{}", #"{"cwd":"/w","sandbox":"read-only","approvalPolicy":"never"}"#),
    (
      "thread/start", #"{"cwd":"/w","model":"m"}"#,
      #"{"cwd":"/w","sandbox":"read-only","approvalPolicy":"never","model":"m"}"#
    ),
    ("thread/start", #"{"cwd":"/"}"#, nil),
    ("thread/start", #"{"sandbox":"danger-full-access"}"#, nil),
    ("thread/start", #"{"approvalPolicy":"on-request"}"#, nil),
    ("thread/start", #"{"config":{"a":1}}"#, nil),
    (
      "thread/resume", #"{"threadId":"t"}"#,
      #"{"threadId":"t","excludeTurns":true,"cwd":"/w","sandbox":"read-only","approvalPolicy":"never"}"#
    ),
    ("thread/resume", #"{"threadId":"t","cwd":"/"}"#, nil),
    (
      "turn/start", #"{"threadId":"t","input":[{"type":"text","text":"a","path":"x"}]}"#,
      #"{"threadId":"t","input":[{"type":"text","text":"a"}],"clientUserMessageId":"r","approvalPolicy":"never","sandboxPolicy":{"type":"workspaceWrite","writableRoots":[],"networkAccess":false}}"#
    ),
    ("turn/start", #"{"threadId":"t","input":[{"type":"text","text":"a"}],"sandboxPolicy":{}}"#, nil),
    ("turn/start", #"{"threadId":"t","input":[{"type":"localImage","path":"/etc/passwd"}]}"#, nil),
    ("turn/start", #"{"threadId":"t","input":[{"type":"image","url":"http://169.254.169.254/"}]}"#, nil),
    ("turn/start", #"{"threadId":"t","input":[]}"#, nil),
    ("thread/list", #"{"sourceKinds":["cli"]}"#, nil),
    ("thread/read", #"{"threadId":"t","includeTurns":true}"#, #"{"threadId":"t","includeTurns":true}"#),
    ("shell/run", "{}", nil),
  ])
  func theClientDoesNotSayWhatTheSandboxLetsThrough(
    _ method: String, _ params: String, _ expected: String?
  ) async throws {
    let codex = Self.script()
    let threads = HostedThreads(codex, workspace: "/w")
    _ = try? await perform(codex, method, params, threads)
    let asked = codex.asked.last { $0.method == method && $0.params != ["threadId": "t"] }
    #expect(try asked?.params == expected.map { try JSONValue(parsing: $0) })
  }

  @Test func aTurnIsKnownFromItsStartToItsEndAndNotBeyondItsProcess() async throws {
    var turns = HostedTurns()
    func reported(_ method: String, _ turn: String) -> HostedCodexEvent {
      .notified(method: method, params: ["threadId": "t", "turn": ["id": .string(turn)]])
    }
    turns.take(reported("turn/started", "u"))
    #expect(turns.running(in: "t") == "u")
    turns.take(reported("turn/completed", "u"))
    // The answer to the start is read after the end.
    turns.began("u", in: "t")
    #expect(turns.running(in: "t") == nil)
    turns.began("v", in: "t")
    turns.load("t")
    #expect(turns.running(in: "t") == "v" && turns.isLoaded("t"))
    turns.take(.ended(reason: "killed"))
    #expect(turns.running(in: "t") == nil && !turns.isLoaded("t") && turns.knows("t"))
  }

  @Test func theTurnsThatRunAtOnceAreLimited() async throws {
    let codex = Self.script()
    let threads = HostedThreads(codex, workspace: "/w")
    func told(_ method: String, _ thread: Int) -> HostedCodexEvent {
      .notified(method: method, params: ["threadId": .string("\(thread)"), "turn": ["id": "u"]])
    }
    for thread in 0..<HostedTurns.runningLimit { threads.note(told("turn/started", thread)) }
    let input = #"{"threadId":"t","input":[{"type":"text","text":"a"}]}"#
    let refusal = await #expect(throws: LaneRefusal.self) { _ = try await perform(codex, "turn/start", input, threads) }
    #expect(refusal?.code == .workerUnavailable && refusal?.isRetryable == true)
    // In a thread whose turn runs it is a steer.
    _ = try await perform(codex, "turn/start", input.replacing("\"t\"", with: "\"0\""), threads)
    threads.note(told("turn/completed", 0))
    _ = try await perform(codex, "turn/start", input, threads)
  }

  @Test func aThreadThatAnotherProcessLoadedIsLoadedBeforeItsTurn() async throws {
    let codex = ScriptedCodex { method in
      method == "turn/start" ? ["turn": ["id": "u"]] : ["thread": ["id": "t", "cwd": "/w"]]
    }
    let threads = HostedThreads(codex, workspace: "/w")
    let input = #"{"threadId":"t","input":[{"type":"text","text":"a"}]}"#
    _ = try await perform(codex, "turn/start", input, threads)
    _ = try await perform(codex, "turn/start", input, threads)
    threads.note(.ended(reason: "killed"))
    _ = try await perform(codex, "turn/start", input, threads)
    #expect(
      codex.asked.map(\.method) == [
        "thread/read", "thread/resume", "turn/start", "turn/start", "thread/resume", "turn/start",
      ])
  }
}
