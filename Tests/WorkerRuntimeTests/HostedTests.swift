import CodexRemoteContract
import EventLedger
import HTTPTypes
import Logging
import ResolveKitCore
import TestSupport
import Testing

@testable import WorkerRuntime

/// Codex beside the runtime: the client's contract is the same.
@Suite(.timeLimit(.minutes(5)))
struct HostedTests {
  private func start(
    _ codex: ScriptedCodex, _ ledger: (any EventLedger)? = nil, logger: Logger = RuntimeUnderTest.logger
  ) async throws -> (
    runtime: RuntimeUnderTest, token: String, device: Task<Void, any Error>
  ) {
    let runtime = try RuntimeUnderTest(ledger)
    let token = try await runtime.token()
    let id = try #require(WorkerID("w-local"))
    let services = runtime.core.services
    let worker = services.registry.directory[id]
    let user = try #require(try await runtime.core.accounts.book().allUsers.first)
    _ = try await worker.register(
      RegistrationRequest(id: id, adapter: WorkerRecord.local), for: user.id, at: runtime.time.now)
    let index = SharedStream<WorkerIndex>(StreamNames.index(of: user.id), services.storage)
    _ = try await index.change { _ in [WorkerIndex.draft(id)] }
    _ = try await worker.change { _ in
      [LedgerDraft(type: EventType.started, payload: JSONText.of(["status": "starting"]))]
    }
    let device = LocalDevice(
      id,
      LaneParts(
        storage: services.storage, directory: services.registry.directory, holder: "test", clock: runtime.clock,
        now: { runtime.time.now }, logger: logger), places: HostedPlaces(limit: 1))
    let running = Task {
      do { try await device.run(isAsked: true) { (codex, "/w") } } catch let failure as LaneRefusal {
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
      switch method {
      case "thread/start": ["thread": ["id": "t", "cwd": "/w"]]
      case "thread/list": ["data": []]
      default: throw LaneRefusal.byCodex("thread not loaded: u")
      }
    }
    let (runtime, token, device) = try await start(codex)
    #expect(try await snapshot(runtime, token).at("status") == "starting")
    let early = try await runtime.call(
      .post, "w-local/requests", #"{"request":{"request_id":"r-0","method":"thread/start"}}"#, token: token)
    #expect(early.status == 409)
    #expect(early.json.at("error", "message") == "worker is not running")
    codex.report(.started(version: "0.163.0"))
    try await until { try await snapshot(runtime, token).at("heartbeat_state") == "fresh" }
    let ready = try await snapshot(runtime, token)
    #expect(ready.at("status") == "running")
    #expect(
      ready.at("backend") == [
        "name": "codex app-server", "lane": "local", "health": "ready", "version": "0.163.0",
      ])
    let answer = try await runtime.call(
      .post, "w-local/requests",
      #"{"request":{"request_id":"r-1","method":"thread/start","params":{"cwd":"/w"}}}"#,
      token: token)
    #expect(answer.json.at("data", "ok") == true)
    #expect(answer.json.at("data", "response", "thread", "id") == "t")
    #expect(
      codex.asked.first?.params == ["cwd": "/w", "sandbox": "read-only", "approvalPolicy": "never"])
    let refused = try await runtime.call(
      .post, "w-local/requests",
      #"{"request":{"request_id":"r-2","method":"thread/read","thread_id":"u"}}"#, token: token)
    #expect(refused.json.at("data", "ok") == false)
    #expect(refused.json.at("data", "response", "code") == "invalid_request")
    codex.report(.notified(method: "turn/started", params: ["threadId": "t"]))
    codex.report(.ended(reason: "killed"))
    try await until { try await snapshot(runtime, token).at("backend", "health") == "restarting" }
    let events = try await runtime.ledger.events(of: "events/w-local", after: 0, limit: 100)
    let reported = try #require(events.first { $0.type == "worker.event" })
    #expect(reported.members["method"] == "turn/started" && reported.members["params"] == ["threadId": "t"])
    #expect(try await runtime.call(.post, "w-local/stop", token: token).status == 202)
    try await device.value
  }

  /// A worker from its first request to its end as a client sees it, without what distinguishes one run from another.
  private func trace(_ runtime: RuntimeUnderTest, _ id: String, _ token: String) async throws -> [JSONValue] {
    func call(_ method: HTTPRequest.Method, _ path: String, _ body: String? = nil) async throws -> JSONValue {
      let answer = try await runtime.call(method, path, body, token: token)
      return ["status": .number(Double(answer.status)), "shape": Self.shape(answer.json)]
    }
    let request = #"{"request":{"request_id":"r-1","method":"thread/list","params":{}}}"#
    var seen = [
      try await call(.get, ""), try await call(.get, id), try await call(.post, "\(id)/requests", request),
      try await call(.post, "\(id)/requests", request),
      try await call(.post, "\(id)/requests", #"{"request":{"request_id":"r-1","method":"thread/read"}}"#),
      try await call(.post, "\(id)/requests", #"{"request":{"request_id":"r-2","method":"shell/run"}}"#),
      try await call(.post, "\(id)/events", #"{"event":{"event_type":"worker.event"}}"#),
      try await call(.post, "\(id)/stop", #"{"reason":"done"}"#), try await call(.post, "\(id)/stop"),
      try await call(.post, "\(id)/requests", request.replacing("r-1", with: "r-3")),
    ]
    let events = try await runtime.ledger.events(of: "events/\(id)", after: 0, limit: 100)
    let chain = events.filter { ["worker.request", "worker.response", "worker.stopped"].contains($0.type) }
    seen += chain.map { ["event": .string($0.type), "members": Self.shape(.object($0.members))] }
    return seen
  }

  /// The names and kinds of a value, as far as the contract has them: what a backend answers is its own.
  private static func shape(_ value: JSONValue) -> JSONValue {
    switch value {
    case .object(let members):
      .object(
        members.filter { !["backend", "metadata", "source"].contains($0.key) }.mapValues { shape($0) }.merging(
          members["response"].map { _ in ["response": "the backend's"] } ?? [:]
        ) { $1 })
    case .array(let elements): .array(elements.map(shape))
    case .string(let text): text.contains(" ") ? value : "text"
    case .number: "number"
    case .bool: value
    case .null: "text"
    }
  }

  @Test("Phase 4: iOS app behavior remains contract-stable while backend varies")
  func behaviourIsTheSameWhateverTheBackend() async throws {
    // An adapter of the runtime's own for tests, a device elsewhere, and codex beside the runtime.
    let echo = try RuntimeUnderTest()
    let echoToken = try await echo.token()
    try await echo.makeWorker("w-echo", token: echoToken, adapter: "in_memory")
    let desktop = try RuntimeUnderTest()
    let desktopToken = try await desktop.token()
    try await desktop.makeWorker("w-desktop", token: desktopToken)
    let stream = WorkerStreamReader(
      try await desktop.respond(.get, "w-desktop/stream", token: desktopToken, headers: .one("prefer", "wait")))
    #expect(await stream.comment())
    let device = Task {
      while true {
        let event = try await stream.event()
        guard event != .null else { return }
        guard event.at("eventType") == "worker.request" else { continue }
        let id = event.at("payload", "request_id").stringValue ?? ""
        try await desktop.post(
          "worker.response",
          #"{"request_id":"\#(id)","method":"thread/list","ok":true,"response":{},"occurred_at":"t"}"#,
          to: "w-desktop", token: desktopToken)
      }
    }
    defer { device.cancel() }
    let codex = ScriptedCodex { _ in ["data": []] }
    let (local, localToken, hosted) = try await start(codex)
    codex.report(.started(version: "0.163.0"))
    try await until { try await snapshot(local, localToken).at("heartbeat_state") == "fresh" }
    let traces = [
      try await trace(echo, "w-echo", echoToken), try await trace(desktop, "w-desktop", desktopToken),
      try await trace(local, "w-local", localToken),
    ]
    #expect(traces[0] == traces[1])
    #expect(traces[1] == traces[2])
    try await hosted.value
  }

  @Test func anotherRuntimeTakesALaneOverAtItsEnd() async throws {
    let first = ScriptedCodex { _ in ["by": "first"] }
    let second = ScriptedCodex { _ in ["by": "second"] }
    let (runtime, token, device) = try await start(first)
    first.report(.started(version: "0.163.0"))
    try await until { try await snapshot(runtime, token).at("status") == "running" }
    let other = try RuntimeUnderTest(runtime.ledger, time: runtime.time)
    let services = other.core.services
    let standby = LocalDevice(
      try #require(WorkerID("w-local")),
      LaneParts(
        storage: services.storage, directory: services.registry.directory, holder: "other", clock: other.clock,
        now: { runtime.time.now }, logger: RuntimeUnderTest.logger), places: HostedPlaces(limit: 1))
    let waiting = Task { try await standby.run(isAsked: true) { (second, "/w") } }
    func ask(_ id: String) async throws -> JSONValue {
      try await other.call(
        .post, "w-local/requests", #"{"request":{"request_id":"\#(id)","method":"thread/read","thread_id":"t"}}"#,
        token: token
      ).json.at("data", "response", "by")
    }
    await other.clock.waitForSleep(of: .seconds(5))
    #expect(try await ask("r-1") == "first")
    // A runtime that shuts down does not keep the lease.
    device.cancel()
    _ = await device.result
    other.clock.advance(by: .seconds(5))
    try await until { try await snapshot(other, token).at("backend", "health") == "starting" }
    second.report(.started(version: "0.164.0"))
    try await until { try await snapshot(other, token).at("backend", "version") == "0.164.0" }
    #expect(try await ask("r-2") == "second")
    // Each looks for the thread first.
    #expect(first.asked.count == 2 && second.asked.count == 2)
    #expect(try await other.call(.post, "w-local/stop", token: token).status == 202)
    try await waiting.value
  }

  @Test func eachHandshakeIsAnsweredOnceWhileCodexIsThere() async throws {
    let codex = ScriptedCodex { _ in [:] }
    let (runtime, token, device) = try await start(codex)
    codex.report(.started(version: "0.163.0"))
    try await until { try await snapshot(runtime, token).at("status") == "running" }
    func call(_ id: String, device: String = "phone") async throws {
      let payload =
        #"{"source":"autopilot-ios","method":"ios/handshake","handshake_id":"\#(id)","device_id":"\#(device)","occurred_at":"t"}"#
      let stored = try await runtime.call(
        .post, "w-local/events", #"{"event":{"event_type":"worker.event","payload":\#(payload)}}"#, token: token)
      #expect((200...202).contains(stored.status))
    }
    func answers() async throws -> [String?] {
      try await runtime.ledger.events(of: "events/w-local", after: 0, limit: 100)
        .filter { $0.members["method"] == "desktop/handshake_ack" }
        .map { $0.members["desktop_session_id"] == "runtime-test" ? $0.members["handshake_id"]?.stringValue : nil }
    }
    try await call("hs-a")
    try await until { try await answers() == ["hs-a"] }
    // A repetition, and one that lacks a member, get none; the next one shows that they were read.
    try await call("hs-a")
    try await call("hs-b", device: " ")
    try await call("hs-c")
    try await until { try await answers().count >= 2 }
    #expect(try await answers() == ["hs-a", "hs-c"])
    codex.report(.ended(reason: "killed"))
    try await until { try await snapshot(runtime, token).at("backend", "health") == "restarting" }
    try await call("hs-d")
    codex.report(.notified(method: "turn/started", params: [:]))
    try await until {
      try await runtime.ledger.events(of: "events/w-local", after: 0, limit: 100)
        .contains { $0.members["method"] == "turn/started" }
    }
    #expect(try await answers() == ["hs-a", "hs-c"])
    #expect(try await runtime.call(.post, "w-local/stop", token: token).status == 202)
    try await device.value
  }

  @Test func whatCodexSaysFitsIntoEvents() async throws {
    let long = String(repeating: "x", count: 9 << 20)
    let codex = ScriptedCodex { method in
      switch method {
      case "thread/read": ["thread": ["id": "t", "text": .string(long)]]
      case "thread/list":
        ["data": .array((0..<3).map { ["id": .string("\($0)\(long)"), "cwd": "/w", "preview": .string(long)] })]
      default: [:]
      }
    }
    let (runtime, token, device) = try await start(codex)
    codex.report(.started(version: "0.163.0"))
    codex.report(
      .notified(method: "item/completed", params: ["id": "i", "text": .string(long)]))
    codex.report(.notified(method: "turn/completed", params: ["id": "t"]))
    try await until { try await snapshot(runtime, token).at("latest_seq") == 5 }
    let events = try await runtime.ledger.events(of: "events/w-local", after: 3, limit: 100)
    #expect(events.map { $0.members["method"] } == ["item/completed", "turn/completed"])
    #expect(events.allSatisfy { $0.payload.count < 300_000 } && events[0].members["params"]?.objectValue?["id"] == "i")
    func ask(_ id: String, _ method: String) async throws -> JSONValue {
      try await runtime.call(
        .post, "w-local/requests",
        #"{"request":{"request_id":"\#(id)","method":"\#(method)","thread_id":"t"}}"#, token: token
      ).json
    }
    #expect(try await ask("r-1", "thread/list").at("data", "response", "code") == "internal_error")
    // The worker continues.
    let read = try await ask("r-2", "thread/read")
    #expect(read.at("data", "ok") == true && read.at("data", "response", "thread", "id") == "t")
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
}
