import EventLedger
import HTTPTypes
import ResolveKitCore
import Synchronization
import TestSupport
import Testing

@testable import WorkerRuntime

/// Codex beside the runtime: the client's contract is the same.
@Suite(.timeLimit(.minutes(5)))
struct HostedTests {
  /// A codex that answers what a test says.
  private final class ScriptedCodex: HostedCodex {
    private let events = AsyncStream.makeStream(of: HostedCodexEvent.self)
    private let calls = Mutex<[(method: String, params: JSONValue)]>([])
    private let answer: @Sendable (String) throws -> JSONValue

    init(_ answer: @escaping @Sendable (String) throws -> JSONValue) { self.answer = answer }

    var asked: [(method: String, params: JSONValue)] { calls.withLock { $0 } }

    func tell(_ event: HostedCodexEvent) { events.continuation.yield(event) }

    func run(_ tell: @escaping @Sendable (HostedCodexEvent) async -> Void) async throws {
      for await event in events.stream { await tell(event) }
      try Task.checkCancellation()
      throw WorkerRuntime.RequestFailure(.internalError, "codex cannot be started")
    }

    func end() { events.continuation.finish() }

    func call(_ method: String, _ params: JSONValue) async throws -> JSONValue {
      calls.withLock { $0.append((method, params)) }
      return try answer(method)
    }
  }

  private func start(
    _ codex: ScriptedCodex
  ) async throws -> (
    runtime: RuntimeUnderTest, token: String, device: Task<Void, any Error>
  ) {
    let runtime = try RuntimeUnderTest()
    let token = try await runtime.token()
    let id = try #require(WorkerID("w-local"))
    let services = runtime.core.services
    let worker = services.registry.directory[id]
    let user = try #require(try await runtime.core.accounts.book().allUsers.first)
    _ = try await worker.register(
      WorkerRegistration(id: id, adapter: WorkerRecord.local), for: user.id, at: runtime.time.now)
    _ = try await worker.change { _ in
      [LedgerDraft(type: EventType.started, payload: JSONText.of(["status": "starting"]))]
    }
    let device = LocalDevice(
      id,
      LaneParts(
        storage: services.storage, directory: services.registry.directory, holder: "test", clock: runtime.clock,
        now: { runtime.time.now }, logger: RuntimeUnderTest.logger))
    let running = Task {
      do { try await device.run(codex, HostedPolicy(workspace: "/w")) } catch let failure
        as WorkerRuntime.RequestFailure
      {
        try await device.fail(failure.message)
      }
    }
    return (runtime, token, running)
  }

  private func snapshot(_ runtime: RuntimeUnderTest, _ token: String) async throws -> JSONValue {
    try await runtime.call(.get, "w-local", token: token).json.at("data")
  }

  @Test func contractIsStableWhileTheBackendVaries() async throws {
    let codex = ScriptedCodex { method in
      guard method == "thread/start" else { throw WorkerRuntime.RequestFailure(.invalidRequest, "no such thread") }
      return ["thread": ["id": "t"]]
    }
    let (runtime, token, device) = try await start(codex)
    #expect(try await snapshot(runtime, token).at("status") == "starting")
    let early = try await runtime.call(
      .post, "w-local/requests", #"{"request":{"request_id":"r-0","method":"thread/start"}}"#, token: token)
    #expect(early.status == 409)
    #expect(early.json.at("error", "message") == "worker is not running")
    codex.tell(.started(version: "0.163.0"))
    try await until { try await snapshot(runtime, token).at("heartbeat_state") == "fresh" }
    let ready = try await snapshot(runtime, token)
    #expect(ready.at("status") == "running")
    #expect(
      ready.at("backend") == [
        "name": "codex app-server", "lane": "local", "health": "ready", "version": "0.163.0",
      ])
    let answer = try await runtime.call(
      .post, "w-local/requests",
      #"{"request":{"request_id":"r-1","method":"thread/start","params":{"sandbox":"danger-full-access","cwd":"/"}}}"#,
      token: token)
    #expect(answer.json.at("data", "ok") == true)
    #expect(answer.json.at("data", "response", "thread", "id") == "t")
    #expect(
      codex.asked.first?.params == ["cwd": "/w", "sandbox": "workspace-write", "approvalPolicy": "never"])
    let refused = try await runtime.call(
      .post, "w-local/requests",
      #"{"request":{"request_id":"r-2","method":"thread/read","thread_id":"t"}}"#, token: token)
    #expect(refused.json.at("data", "ok") == false)
    #expect(refused.json.at("data", "response", "code") == "invalid_request")
    codex.tell(.told(method: "turn/started", params: ["threadId": "t"]))
    codex.tell(.ended(reason: "killed"))
    try await until { try await snapshot(runtime, token).at("backend", "health") == "restarting" }
    let events = try await runtime.ledger.events(of: "events/w-local", after: 0, limit: 100)
    let told = try #require(events.first { $0.type == "worker.event" })
    #expect(told.members["method"] == "turn/started" && told.members["params"] == ["threadId": "t"])
    #expect(try await runtime.call(.post, "w-local/stop", token: token).status == 202)
    try await device.value
  }

  @Test func aBackendThatCannotBeStartedFailsItsWorker() async throws {
    let codex = ScriptedCodex { _ in .null }
    let (runtime, token, device) = try await start(codex)
    codex.end()
    try await device.value
    let failed = try await snapshot(runtime, token)
    #expect(failed.at("status") == "failed")
    #expect(failed.at("heartbeat_state") == "failed")
    #expect(failed.at("backend", "health") == "failed")
  }

  @Test func aRuntimeWithoutCodexOffersNone() async throws {
    let runtime = try RuntimeUnderTest()
    let token = try await runtime.token()
    #expect(try await runtime.call(.post, "", #"{"adapter":"local"}"#, token: token).status == 400)
    #expect(try await runtime.call(.get, "", token: token).json.at("data") == [])
  }

  @Test(arguments: [
    (
      "thread/resume", #"{"threadId":"t","config":{"a":1},"cwd":"/"}"#,
      #"{"threadId":"t","cwd":"/w","sandbox":"workspace-write","approvalPolicy":"never"}"#
    ),
    ("thread/resume", "{}", nil),
    (
      "turn/start",
      #"{"threadId":"t","input":[{"type":"text","text":"a","path":"x"}],"sandboxPolicy":{"type":"dangerFullAccess"},"approvalPolicy":"never","cwd":"/"}"#,
      #"{"threadId":"t","input":[{"type":"text","text":"a"}]}"#
    ),
    ("turn/start", #"{"threadId":"t","input":[{"type":"localImage","path":"/etc/passwd"}]}"#, nil),
    ("turn/start", #"{"threadId":"t","input":[{"type":"image","url":"http://169.254.169.254/"}]}"#, nil),
    ("turn/start", #"{"threadId":"t","input":[]}"#, nil),
    ("turn/interrupt", #"{"threadId":"t","turnId":"u","x":1}"#, #"{"threadId":"t","turnId":"u"}"#),
    ("thread/list", #"{"limit":5,"cwd":"/","sourceKinds":["cli"]}"#, #"{"limit":5,"sourceKinds":["appServer"]}"#),
    ("thread/read", #"{"threadId":"t","includeTurns":true}"#, #"{"threadId":"t","includeTurns":true}"#),
    ("shell/run", "{}", nil),
  ])
  func theClientDoesNotSayWhatTheSandboxLetsThrough(_ method: String, _ params: String, _ expected: String?) throws {
    let request = WorkerRequest(id: "r", method: method, params: Array(params.utf8))
    let taken = try? HostedPolicy(workspace: "/w").params(of: request)
    #expect(try taken == expected.map { try JSONValue(parsing: $0) })
  }
}
