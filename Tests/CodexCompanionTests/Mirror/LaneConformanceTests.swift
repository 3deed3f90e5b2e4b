import CodexRemoteContract
import CodexWorkersClient
import EventLedger
import Foundation
import JSONService
import Logging
import ResolveKitCore
import TestSupport
import Testing

@testable import CodexCompanion
@testable import WorkerRuntime

/// The contract of a worker's client is the same whatever runs Codex: the same requests, and the same words of codex, have
/// the same receipts and events on the desktop lane and on the hosted one.
@Suite(.timeLimit(.minutes(5)))
struct LaneConformanceTests {
  /// A request, and what codex does with it.
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    var method = "thread/read"
    var params: JSONObject = [:]
    var thread: String?
    /// Threads that codex has in the worker's folder.
    var threads = ["shown"]
    /// The turn that runs already.
    var running: String?
    /// Codex's refusal of the method itself.
    var refusal: CodexCallError?
    /// The code of the failure; nil for an answer.
    var code: String?

    var testDescription: String { name }
  }

  private static let text: JSONValue = [["type": "text", "text": "hi"]]

  static let cases: [Case] = [
    Case(name: "list", method: "thread/list", threads: ["shown", "second", "third"]),
    Case(name: "list a page", method: "thread/list", params: ["limit": 2], threads: ["shown", "second", "third"]),
    Case(
      name: "list the next page", method: "thread/list", params: ["limit": 2, "cursor": "second"],
      threads: ["shown", "second", "third"]),
    Case(name: "list nothing", method: "thread/list", threads: []),
    Case(
      name: "list behind a thread that is gone", method: "thread/list", params: ["cursor": "x"], code: "invalid_request"
    ),
    Case(name: "list too many", method: "thread/list", params: ["limit": 201], code: "invalid_request"),
    Case(name: "list another folder", method: "thread/list", params: ["cwd": "/"], code: "invalid_request"),
    Case(name: "read", params: ["threadId": "shown"]),
    Case(name: "read with turns", params: ["threadId": "shown", "includeTurns": true]),
    Case(name: "read the only thread"),
    Case(name: "read, the request's thread wins", params: ["threadId": "nowhere"], thread: "shown"),
    Case(
      name: "read, the request's thread loses nothing", params: ["threadId": "shown"], thread: "nowhere",
      code: "invalid_request"),
    Case(name: "read an unknown thread", params: ["threadId": "nowhere"], code: "invalid_request"),
    Case(name: "read one of several", threads: ["shown", "second"], code: "conflict"),
    Case(name: "read none", threads: [], code: "worker_unavailable"),
    Case(name: "resume", method: "thread/resume", params: ["threadId": "shown"]),
    Case(
      name: "resume elsewhere", method: "thread/resume", params: ["threadId": "shown", "cwd": "/"],
      code: "invalid_request"),
    Case(
      name: "resume what has no turn", method: "thread/resume", params: ["threadId": "shown"],
      refusal: CodexCallError(.refused(-32_600), "no rollout found for thread id shown")),
    Case(
      name: "resume what another process has", method: "thread/resume", params: ["threadId": "shown"],
      refusal: CodexCallError(.refused(-32_600), "thread shown already has an active writer"), code: "conflict"),
    Case(name: "start a thread", method: "thread/start"),
    Case(name: "start a thread in the folder", method: "thread/start", params: ["cwd": "SHOWN", "model": "m"]),
    Case(name: "start a thread in another folder", method: "thread/start", params: ["cwd": "/etc"], code: "forbidden"),
    Case(
      name: "start a thread with a sandbox", method: "thread/start", params: ["sandbox": "danger-full-access"],
      code: "invalid_request"),
    Case(
      name: "start a thread with a policy", method: "thread/start", params: ["approvalPolicy": "never"],
      code: "invalid_request"),
    Case(name: "start a thread of no model", method: "thread/start", params: ["model": 5], code: "invalid_request"),
    Case(
      name: "start a thread that codex refuses", method: "thread/start",
      refusal: CodexCallError(.refused(-32_600), "no such model"), code: "conflict"),
    Case(
      name: "start a thread without codex", method: "thread/start",
      refusal: CodexCallError(.unavailable, "codex is away"),
      code: "worker_unavailable"),
    Case(name: "start a turn", method: "turn/start", params: ["threadId": "shown", "input": text]),
    Case(name: "start a turn in the only thread", method: "turn/start", params: ["input": text]),
    Case(
      name: "start a turn, steering", method: "turn/start", params: ["threadId": "shown", "input": text], running: "t1"),
    Case(name: "start a turn of nothing", method: "turn/start", params: ["threadId": "shown"], code: "invalid_request"),
    Case(
      name: "start a turn of blanks", method: "turn/start",
      params: ["threadId": "shown", "input": [["type": "text", "text": " "]]], code: "invalid_request"),
    Case(
      name: "start a turn with a file", method: "turn/start",
      params: ["threadId": "shown", "input": [["type": "localImage", "path": "/etc/passwd"]]], code: "invalid_request"),
    Case(
      name: "start a turn with an address", method: "turn/start",
      params: ["threadId": "shown", "input": [["type": "image", "url": "http://169.254.169.254/"]]],
      code: "invalid_request"),
    Case(
      name: "start a turn with a picture", method: "turn/start",
      params: ["threadId": "shown", "input": [["type": "image", "url": "data:image/png;base64,AA=="]]]),
    Case(
      name: "start a turn of many items", method: "turn/start",
      params: ["threadId": "shown", "input": .array(Array(repeating: ["type": "text", "text": "a"], count: 17))],
      code: "invalid_request"),
    Case(
      name: "start a turn with a sandbox", method: "turn/start",
      params: ["threadId": "shown", "input": text, "sandboxPolicy": ["type": "dangerFullAccess"]],
      code: "invalid_request"),
    Case(
      name: "start a turn with a model", method: "turn/start",
      params: ["threadId": "shown", "input": text, "model": "m"], code: "invalid_request"),
    Case(
      name: "start a turn that codex refuses", method: "turn/start", params: ["threadId": "shown", "input": text],
      refusal: CodexCallError(.refused(-32_603), "cannot steer a compact turn"), code: "conflict"),
    Case(name: "interrupt", method: "turn/interrupt", params: ["threadId": "shown"], running: "t1"),
    Case(
      name: "interrupt the turn", method: "turn/interrupt", params: ["threadId": "shown", "turnId": "t1"], running: "t1"
    ),
    Case(
      name: "interrupt another turn", method: "turn/interrupt", params: ["threadId": "shown", "turnId": "t0"],
      running: "t1", code: "conflict"),
    Case(name: "interrupt nothing", method: "turn/interrupt", params: ["threadId": "shown", "turnId": "t1"]),
    Case(
      name: "interrupt what ends by itself", method: "turn/interrupt", params: ["threadId": "shown"], running: "t1",
      refusal: CodexCallError(.refused(-32_600), "no active turn to interrupt")),
    Case(name: "another method", method: "thread/archive", code: "unsupported_method"),
  ]

  /// A folder that there is, in which the worker works on both lanes.
  private let folder: TemporaryFolder
  private var workspace: String { folder.file("shown") }

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.file("shown"), withIntermediateDirectories: false)
  }

  private func prepare(_ codex: ScriptedCodex, _ test: Case) {
    let workspace = workspace
    let threads = test.threads.enumerated().map { index, id -> JSONObject in
      ["id": .string(id), "cwd": .string(workspace), "preview": "p \(id)", "updatedAt": .number(Double(9 - index))]
    }
    codex.on("thread/list") { _ in ["data": .array(threads.map { .object($0) }), "nextCursor": nil] }
    codex.on("thread/read") { params in
      guard let thread = threads.first(where: { $0["id"] == params["threadId"] }) else {
        throw CodexCallError(.refused(-32_600), "thread not loaded")
      }
      var answer = thread
      if params["includeTurns"] == true { answer["turns"] = [["id": "t0"]] }
      return ["thread": .object(answer)]
    }
    codex.on("thread/start") { _ in
      ["thread": ["id": "new", "cwd": .string(workspace), "preview": "", "updatedAt": 10]]
    }
    codex.on("thread/resume") { _ in ["thread": ["status": ["type": "idle"]]] }
    let turns: [JSONValue] = test.running.map { [["id": .string($0), "status": "inProgress", "items": []]] } ?? []
    codex.on("thread/turns/list") { _ in ["data": .array(turns)] }
    codex.on("config/read") { _ in ["config": [:]] }
    codex.on("turn/start") { _ in ["turn": ["id": "t1"]] }
    codex.on("turn/steer") { _ in ["turnId": "t1"] }
    codex.on("turn/interrupt") { _ in [:] }
    if let refusal = test.refusal { codex.on(test.method) { _ in throw refusal } }
  }

  private static let words: [(method: String, params: JSONObject)] = [
    ("turn/started", ["threadId": "shown", "turn": ["id": "t1", "status": "inProgress"]]),
    ("item/started", ["threadId": "shown", "turnId": "t1", "item": ["type": "agentMessage", "id": "m", "text": ""]]),
    ("item/agentMessage/delta", ["threadId": "shown", "turnId": "t1", "itemId": "m", "delta": "Hello"]),
    ("thread/tokenUsage/updated", ["threadId": "shown", "turnId": "t1"]),
    (
      "item/completed",
      [
        "threadId": "shown", "turnId": "t1",
        "item": ["type": "agentMessage", "id": "m", "text": .string(String(repeating: "x", count: 300 << 10))],
      ]
    ),
    ("error", ["threadId": "shown", "turnId": "t1", "error": ["message": "Reconnecting"], "willRetry": true]),
    ("turn/completed", ["threadId": "shown", "turn": ["id": "t1", "status": "completed"]]),
  ]

  /// An event without what says which lane wrote it, and when.
  private static func common(_ type: String, _ payload: JSONObject) -> JSONValue {
    let own = ["source", "occurred_at", "thread_seq"]
    return ["type": .string(type), "payload": .object(payload.filter { !own.contains($0.key) })]
  }

  private func desktop(_ test: Case, _ payload: JSONObject) async throws -> [JSONValue] {
    let mirror = try MirrorUnderTest()
    try mirror.switchOn(workspace)
    await mirror.catalog.note(folder: workspace, updatedAt: 1)
    prepare(mirror.codex, test)
    if let running = test.running { await mirror.hub.receive(Self.started(running)) }
    let event = CodexWorkersClient.WorkerEvent(
      workerID: "w:1", sequence: 1, type: "worker.request", payload: payload, occurredAt: "t")
    #expect(try await mirror.inbox(try mirror.store()).take(.event(event)) == .taken)
    return mirror.posts.map { Self.common($0.type, $0.payload) }
  }

  private static func started(_ turn: String) -> CodexReport {
    .notification(method: "turn/started", params: ["threadId": "shown", "turn": ["id": .string(turn)]])
  }

  /// The hosted lane of a runtime in this process.
  private struct Hosted {
    let core: RuntimeCore
    let ledger: any EventLedger
    let script: HostedScript
    let user: String

    init(_ codex: ScriptedCodex, workspace: String) async throws {
      let script = HostedScript(codex)
      ledger = try SQLiteEventLedger.open(path: nil)
      core = RuntimeCore(
        ledger, settings: RuntimeSettings(), hosting: LaneHosting(limit: 1) { _ in (script, workspace) },
        random: .system, clock: ContinuousClock(), now: { .current }, logger: Logger(label: "test"))
      self.script = script
      user = try await core.accounts.issue(to: "a@example.test", name: "t").user.id
      script.tell(.started(version: "1"))
      let id = try #require(WorkerID("w:1"))
      _ = try await core.services.registry.register(
        RegistrationRequest(id: id, adapter: "local"), for: user)
      try await until {
        try await core.services.registry.snapshot(of: id, for: user).state.heartbeatAt != nil
      }
    }

    /// Everything after the first signs of life.
    func events() async throws -> [LedgerEvent] {
      try await ledger.events(of: "events/w:1", after: 0, limit: 100)
        .filter { !["worker.started", "worker.heartbeat", "worker.stopped"].contains($0.type) }
    }
  }

  private func hosted(_ test: Case, _ payload: JSONObject) async throws -> [JSONValue] {
    let codex = ScriptedCodex()
    prepare(codex, test)
    let hosted = try await Hosted(codex, workspace: workspace)
    if let running = test.running {
      hosted.script.tell(
        .told(method: "turn/started", params: ["threadId": "shown", "turn": ["id": .string(running)]]))
      try await until { try await hosted.events().count == 1 }
    }
    // As the device reads it: the routes let only known methods through.
    let event = LedgerDraft(type: "worker.request", payload: JSONValue.object(payload).serialized())
    let id = try #require(WorkerID("w:1"))
    _ = try await hosted.core.services.registry.directory[id].change { _ in [event] }
    func receipts() async throws -> [LedgerEvent] {
      try await hosted.events().filter { ["worker.response", "worker.error"].contains($0.type) }
    }
    try await until { try await !receipts().isEmpty }
    await hosted.core.endHosted()
    return try await receipts().map { Self.common($0.type, $0.members) }
  }

  @Test(arguments: cases)
  func theSameRequestHasTheSameReceipt(_ test: Case) async throws {
    let params = test.params.mapValues { $0 == "SHOWN" ? .string(workspace) : $0 }
    var payload: JSONObject = [
      "request_id": "r", "method": .string(test.method), "params": .object(params), "occurred_at": "t",
      "timeout_ms": 30_000,
    ]
    payload["thread_id"] = test.thread.map { .string($0) }
    let (desktop, hosted) = (try await desktop(test, payload), try await hosted(test, payload))
    #expect(desktop == hosted)
    #expect(hosted.count == 1)
    let receipt = hosted.first?.objectValue?["payload"]?.objectValue
    #expect(receipt?["code"]?.stringValue == test.code)
    #expect((receipt?["response"] != nil) == (test.code == nil))
  }

  @Test func theSameWordsOfCodexAreTheSameEvents() async throws {
    let mirror = try MirrorUnderTest()
    try mirror.switchOn(workspace)
    prepare(mirror.codex, Case(name: ""))
    for (method, params) in Self.words { await mirror.hub.receive(.notification(method: method, params: params)) }
    await mirror.hub.drain()
    let outbox = mirror.outbox(try mirror.store())
    await outbox.note("shown")
    let running = Task { try await outbox.run() }
    await until { mirror.posts.last?.payload["method"] == "turn/completed" }
    running.cancel()
    _ = await running.result
    let codex = ScriptedCodex()
    prepare(codex, Case(name: ""))
    let hosted = try await Hosted(codex, workspace: workspace)
    for (method, params) in Self.words { hosted.script.tell(.told(method: method, params: .object(params))) }
    try await until { try await hosted.events().last?.members["method"] == "turn/completed" }
    await hosted.core.endHosted()
    let desktopEvents = mirror.posts.map { Self.common($0.type, $0.payload) }
    let hostedEvents = try await hosted.events().map { Self.common($0.type, $0.members) }
    #expect(desktopEvents.count == 6)
    #expect(desktopEvents == hostedEvents)
  }
}
