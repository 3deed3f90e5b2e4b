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
  /// A folder that there is, in which the worker works on both lanes.
  private let folder: TemporaryFolder
  private var workspace: String { folder.file("shown") }

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.file("shown"), withIntermediateDirectories: false)
  }

  private func prepare(_ codex: ScriptedCodex, _ test: LaneCase) {
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

  private func desktop(_ test: LaneCase, _ payload: JSONObject) async throws -> [JSONValue] {
    let mirror = try MirrorUnderTest()
    try mirror.switchOn(workspace)
    await mirror.catalog.note(folder: workspace, updatedAt: 1)
    prepare(mirror.codex, test)
    if let running = test.running { await mirror.hub.receive(Self.started(running)) }
    let event = CodexWorkersClient.WorkerEvent(
      workerID: "w:1", sequence: 1, type: "worker.request", payload: payload, occurredAt: "t")
    #expect(try await mirror.inbox(try mirror.store()).deal(with: event) == .taken)
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
      script.report(.started(version: "1"))
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

  private func hosted(_ test: LaneCase, _ payload: JSONObject) async throws -> [JSONValue] {
    let codex = ScriptedCodex()
    prepare(codex, test)
    let hosted = try await Hosted(codex, workspace: workspace)
    if let running = test.running {
      hosted.script.report(
        .notified(method: "turn/started", params: ["threadId": "shown", "turn": ["id": .string(running)]]))
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

  @Test(arguments: LaneCase.all)
  func theSameRequestHasTheSameReceipt(_ test: LaneCase) async throws {
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

  /// A person's message, and what the lane says of it; nil where its turn is the answer.
  static let messages: [(payload: JSONObject, code: String?)] = [
    (["message_id": "iosmsg-a", "params": ["text": "hi"]], nil),
    (
      ["params": ["message_id": "iosmsg-a", "text": "hi", "model": "m", "reasoning": "high", "thread_id": "shown"]], nil
    ),
    (["message_id": "iosmsg-a", "thread_id": "nowhere", "params": ["text": "hi"]], "invalid_request"),
    (["message_id": "iosmsg-a", "params": ["text": " "]], "invalid_request"),
    (["message_id": "iosmsg-a", "params": ["text": "hi", "model": 5]], "invalid_request"),
  ]

  @Test(arguments: messages)
  func theSameMessageStartsTheSameTurn(_ payload: JSONObject, _ code: String?) async throws {
    var payload = payload
    payload["source"] = "autopilot-ios"
    payload["method"] = "ios/user_message"
    payload["occurred_at"] = "t"
    let test = LaneCase(name: "a message")
    let mirror = try MirrorUnderTest()
    try mirror.switchOn(workspace)
    await mirror.catalog.note(folder: workspace, updatedAt: 1)
    prepare(mirror.codex, test)
    let inbox = mirror.inbox(try mirror.store())
    for sequence in 1...2 as ClosedRange<Int64> {
      let event = CodexWorkersClient.WorkerEvent(
        workerID: "w:1", sequence: sequence, type: "worker.event", payload: payload, occurredAt: "t")
      #expect(try await inbox.deal(with: event) == .taken)
    }
    let codex = ScriptedCodex()
    prepare(codex, test)
    let hosted = try await Hosted(codex, workspace: workspace)
    let id = try #require(WorkerID("w:1"))
    for _ in 1...2 {
      let event = LedgerDraft(type: "worker.event", payload: JSONValue.object(payload).serialized())
      _ = try await hosted.core.services.registry.directory[id].change { _ in [event] }
    }
    if code == nil {
      await until { codex.calls.contains("turn/start") }
    } else {
      try await until { try await hosted.events().count == 3 }
    }
    await hosted.core.endHosted()
    // Without what was posted here.
    let said = try await hosted.events().filter { $0.members["method"] != "ios/user_message" }
    #expect(mirror.posts.map { Self.common($0.type, $0.payload) } == said.map { Self.common($0.type, $0.members) })
    #expect(said.map { $0.members["code"]?.stringValue } == (code.map { [$0] } ?? []))
    #expect(said.allSatisfy { $0.members["method"] == "desktop/user_message_refused" })
    for starts in [mirror.codex.params(of: "turn/start"), codex.params(of: "turn/start")] {
      #expect(starts.count == (code == nil ? 1 : 0))
      #expect(starts.allSatisfy { $0["clientUserMessageId"] == "iosmsg-a" })
      #expect(starts.allSatisfy { ($0["model"] == "m") == ($0["effort"] == "high") })
    }
  }

  @Test func theSameWordsOfCodexAreTheSameEvents() async throws {
    let mirror = try MirrorUnderTest()
    try mirror.switchOn(workspace)
    prepare(mirror.codex, LaneCase(name: ""))
    for (method, params) in Self.words { await mirror.hub.receive(.notification(method: method, params: params)) }
    await mirror.hub.drain()
    let outbox = mirror.outbox(try mirror.store())
    await outbox.note("shown")
    let running = Task { try await outbox.run() }
    await until { mirror.posts.last?.payload["method"] == "turn/completed" }
    running.cancel()
    _ = await running.result
    let codex = ScriptedCodex()
    prepare(codex, LaneCase(name: ""))
    let hosted = try await Hosted(codex, workspace: workspace)
    for (method, params) in Self.words { hosted.script.report(.notified(method: method, params: .object(params))) }
    try await until { try await hosted.events().last?.members["method"] == "turn/completed" }
    await hosted.core.endHosted()
    let desktopEvents = mirror.posts.map { Self.common($0.type, $0.payload) }
    let hostedEvents = try await hosted.events().map { Self.common($0.type, $0.members) }
    #expect(desktopEvents.count == 6)
    #expect(desktopEvents == hostedEvents)
  }
}
