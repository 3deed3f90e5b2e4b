import CodexWorkersClient
import EventLedger
import ResolveKitCore
import Synchronization
import TestSupport
import Testing

@testable import CodexCompanion

/// Handshakes and requests that come through the runtime.
@Suite(.timeLimit(.minutes(5)))
struct MirrorInboxTests {
  private let mirror: MirrorUnderTest

  init() throws { mirror = try MirrorUnderTest() }

  private func handshake(_ id: String, _ sequence: Int64) -> WorkerUpdate {
    .event(
      WorkerEvent(
        workerID: "w:1", sequence: sequence, type: "worker.event",
        payload: HandshakeSignal.call(id: id, deviceID: "d").draft(at: "now").payload, occurredAt: "t"))
  }

  @Test func aHandshakeIsAcknowledgedOnce() async throws {
    let inbox = mirror.inbox(try mirror.store())
    #expect(try await inbox.take(handshake("hs-a", 1)) == .taken)
    #expect(try await inbox.take(handshake("hs-a", 2)) == .taken)
    #expect(try await inbox.take(handshake("hs-b", 3)) == .taken)
    #expect(mirror.posts.compactMap { $0.payload["handshake_id"] } == ["hs-a", "hs-b"])
    #expect(mirror.posts.allSatisfy { $0.payload["desktop_session_id"] == "session" })
    #expect(mirror.posts.allSatisfy { $0.payload["method"] == "desktop/handshake_ack" })
  }

  @Test func aHandshakeWhoseAcknowledgementFailsIsReadAgain() async throws {
    let store = try mirror.store()
    let inbox = mirror.inbox(store)
    mirror.refuse(502)
    #expect(try await inbox.take(handshake("hs-a", 7)) == .again)
    #expect(await store.book.inbound == nil)
    #expect(try await inbox.take(handshake("hs-a", 7)) == .taken)
    #expect(await store.book.inbound == 7)
    #expect(mirror.posts.count == 1)
  }

  @Test(arguments: ["handshake_id", "device_id", "source", "occurred_at"])
  func aHandshakeWithABlankMemberIsIgnored(_ name: String) async throws {
    var payload = HandshakeSignal.call(id: "hs-a", deviceID: "d").draft(at: "now").payload
    payload[name] = "  "
    let event = WorkerEvent(
      workerID: "w:1", sequence: 1, type: "worker.event", payload: payload, occurredAt: "t")
    #expect(try await mirror.inbox(try mirror.store()).deal(with: event) == .taken)
    #expect(mirror.attempts == 0)
  }

  @Test func aRequestIsPerformedOnceAndEndsWithOneReceipt() async throws {
    try mirror.switchOn()
    let event = MirrorUnderTest.request(
      "r", "turn/start", ["threadId": "shown", "input": [["type": "text", "text": "hi"]]])
    let inbox = mirror.inbox(try mirror.store())
    #expect(try await inbox.deal(with: event) == .taken)
    #expect(try await inbox.deal(with: event) == .taken)
    #expect(mirror.posts.map(\.type) == ["worker.response"])
    #expect(mirror.posts.first?.payload["request_id"] == "r")
    #expect(mirror.posts.first?.payload["response"]?.objectValue?["turn"]?.objectValue?["id"] == "t1")
    #expect(mirror.codex.calls.filter { $0 == "turn/start" }.count == 1)
    #expect(mirror.codex.params(of: "turn/start").first?["clientUserMessageId"] == "r")
  }

  @Test func aReceiptThatCouldNotBePostedIsPostedAgainAcrossAKillAndNothingIsPerformedAgain() async throws {
    try mirror.switchOn()
    let event = MirrorUnderTest.request("r", "thread/read", ["threadId": "shown"])
    mirror.refuse(503)
    // Ended while it waits before it posts the receipt again.
    let timer = ManualClock()
    do {
      let store = try mirror.store()
      let inbox = mirror.inbox(store, timer: timer)
      #expect(try await inbox.take(.event(event)) == .taken)
      await until { timer.sleeperCount == 1 }
      await inbox.leave()
      #expect(await store.book.inbound == 0)
    }
    let reads = mirror.codex.calls.filter { $0 == "thread/read" }.count
    let store = try mirror.store()
    #expect(try await mirror.inbox(store).deal(with: event) == .taken)
    #expect(mirror.posts.count == 1)
    #expect(mirror.codex.calls.filter { $0 == "thread/read" }.count == reads)
    #expect(await store.book.standing(of: "r") == .done)
  }

  @Test func aReceiptThatTheRuntimeDoesNotTakeNowIsPostedAgain() async throws {
    try mirror.switchOn()
    let store = try mirror.store()
    mirror.refuse(503, times: 3)
    #expect(
      try await mirror.inbox(store).deal(with: MirrorUnderTest.request("r", "thread/list", sequence: 4)) == .taken)
    #expect(mirror.attempts == 4 && mirror.posts.count == 1)
    #expect(await store.book.standing(of: "r") == .done)
    #expect(await store.book.inbound == 4)
  }

  /// A codex that did not answer one request kept all others back.
  @Test func aSlowRequestKeepsBackNeitherAnInterruptNorAnotherThread() async throws {
    try mirror.switchOn()
    let gate = Gate()
    mirror.codex.on("turn/steer") { _ in
      await gate.wait()
      return ["turnId": "t0"]
    }
    mirror.codex.on("turn/interrupt") { _ in [:] }
    mirror.codex.on("thread/turns/list") { _ in ["data": [["id": "t0", "status": "inProgress", "items": []]]] }
    await mirror.hub.receive(
      .notification(method: "turn/started", params: ["threadId": "shown", "turn": ["id": "t0"]]))
    let store = try mirror.store()
    let inbox = mirror.inbox(store)
    func take(_ id: String, _ sequence: Int64, _ method: String, _ params: JSONObject) async throws {
      #expect(
        try await inbox.take(.event(MirrorUnderTest.request(id, method, params, sequence: sequence))) == .taken)
    }
    try await take("steer", 5, "turn/start", ["threadId": "shown", "input": [["type": "text", "text": "hi"]]])
    await until { mirror.codex.calls.contains("turn/steer") }
    try await take("list", 6, "thread/list", [:])
    try await take("end", 7, "turn/interrupt", ["threadId": "shown", "turnId": "t0"])
    await until { mirror.posts.count == 2 }
    #expect(Set(mirror.posts.compactMap { $0.payload["request_id"]?.stringValue }) == ["list", "end"])
    #expect(mirror.posts.first { $0.payload["request_id"] == "end" }?.payload["response"] == ["interrupted": true])
    // What is read again after a kill begins with the slow one.
    #expect(await store.book.inbound == 4)
    gate.open()
    await inbox.settle()
    #expect(mirror.posts.last?.payload["request_id"] == "steer")
    #expect(await store.book.inbound == 7)
  }

  @Test func requestsOfOneThreadArePerformedInTheirOrder() async throws {
    try mirror.switchOn()
    let gate = Gate()
    mirror.codex.on("turn/start") { params in
      if params["clientUserMessageId"] == "first" { await gate.wait() }
      return ["turn": ["id": "t1"]]
    }
    mirror.codex.on("turn/steer") { _ in ["turnId": "t1"] }
    let inbox = mirror.inbox(try mirror.store())
    for (sequence, id) in ["first", "second", "third"].enumerated() {
      let event = MirrorUnderTest.request(
        id, "turn/start", ["threadId": "shown", "input": [["type": "text", "text": .string(id)]]],
        sequence: Int64(sequence + 1))
      #expect(try await inbox.take(.event(event)) == .taken)
    }
    await until { mirror.codex.calls.contains("turn/start") }
    #expect(mirror.posts.isEmpty)
    gate.open()
    await inbox.settle()
    #expect(mirror.posts.compactMap { $0.payload["request_id"]?.stringValue } == ["first", "second", "third"])
    let sent = ["turn/start", "turn/steer"].flatMap { mirror.codex.params(of: $0) }
    #expect(sent.compactMap { $0["clientUserMessageId"]?.stringValue } == ["first", "second", "third"])
  }

  @Test func aThreadIsNotStartedTwiceWhereTheFirstOutcomeIsUnknown() async throws {
    try mirror.switchOn()
    do { try await mirror.store().change { $0.begin("r") } }
    let event = MirrorUnderTest.request("r", "thread/start", ["cwd": "/work/shown"])
    #expect(try await mirror.inbox(try mirror.store()).deal(with: event) == .taken)
    #expect(mirror.posts.map(\.type) == ["worker.error"])
    #expect(mirror.posts.first?.payload["code"] == "internal_error")
    #expect(!mirror.codex.calls.contains("thread/start"))
  }

  @Test func anExpiredRequestIsNotBegun() async throws {
    try mirror.switchOn()
    let event = MirrorUnderTest.request(
      "r", "thread/read", ["threadId": "shown"], expiresAt: "1970-01-01T00:00:00.500000Z")
    let store = try mirror.store()
    #expect(try await mirror.inbox(store, now: WallTime(microseconds: 600_000)).deal(with: event) == .taken)
    #expect(mirror.attempts == 0)
    #expect(await store.book.standing(of: "r") == .new)
    #expect(try await mirror.inbox(store, now: WallTime(microseconds: 400_000)).deal(with: event) == .taken)
    #expect(mirror.posts.map(\.type) == ["worker.response"])
  }

  /// A machine that is two minutes ahead took every request for expired, and one that is behind began expired ones.
  @Test(arguments: [120, -120])
  func requestsExpireByTheRuntimesClock(lead: Int64) async throws {
    try mirror.switchOn()
    let runtime = WallTime(microseconds: 1_000_000_000)
    let local = Mutex(runtime + .seconds(lead))
    let now = { @Sendable in local.withLock { $0 } }
    let clock = mirror.clock(now)
    mirror.set(runtimeTime: runtime)
    try await mirror.pulse(clock, now: now).beat()
    #expect(clock.lead == Double(lead))
    let inbox = mirror.inbox(try mirror.store(), now: now(), clock: clock)
    func take(_ id: String) async throws {
      let event = MirrorUnderTest.request(
        id, "thread/read", ["threadId": "shown"], expiresAt: (runtime + .seconds(30)).zulu)
      #expect(try await inbox.deal(with: event) == .taken)
    }
    local.withLock { $0 = $0 + .seconds(29) }
    try await take("in time")
    local.withLock { $0 = $0 + .seconds(1) }
    try await take("late")
    #expect(mirror.posts.map(\.type) == ["worker.heartbeat", "worker.response"])
    #expect(mirror.posts.last?.payload["request_id"] == "in time")
  }

  @Test func aHeartbeatThatIsRefusedGivesNoTime() async throws {
    let now = { @Sendable in WallTime(microseconds: 5_000_000) }
    let clock = mirror.clock(now)
    mirror.refuse(503)
    try await mirror.pulse(clock, now: now).beat()
    #expect(clock.lead == nil && clock.time == 5)
  }

  private func code(_ method: String, _ params: JSONObject) async throws -> String? {
    let event = MirrorUnderTest.request(LetterID.make("r-"), method, params)
    #expect(try await mirror.inbox(try mirror.store("\(LetterID.make("book-"))")).deal(with: event) == .taken)
    #expect(mirror.posts.last?.type == "worker.error")
    return mirror.posts.last?.payload["code"]?.stringValue
  }

  @Test func theCompanionsRulesHoldForRequests() async throws {
    try mirror.switchOn()
    #expect(try await code("thread/archive", [:]) == "unsupported_method")
    #expect(try await code("thread/read", ["threadId": "other"]) == "forbidden")
    #expect(try await code("thread/read", ["threadId": "missing"]) == "invalid_request")
    #expect(try await code("thread/start", ["cwd": "/work/other"]) == "forbidden")
    #expect(
      try await code("thread/start", ["cwd": "/work/shown", "sandbox": "danger-full-access"]) == "invalid_request")
    let input: JSONValue = [["type": "text", "text": "hi"]]
    #expect(
      try await code("turn/start", ["threadId": "shown", "input": input, "approvalPolicy": "never"])
        == "invalid_request")
    #expect(
      try await code("turn/start", ["threadId": "shown", "input": [["type": "localImage", "path": "/etc/passwd"]]])
        == "invalid_request")
    #expect(!mirror.codex.calls.contains("turn/start"))
    try await mirror.catalog.set("/work/shown", isHidden: true)
    #expect(try await code("thread/read", ["threadId": "shown"]) == "invalid_request")
  }

  @Test func aListHasTheMirroredWorkspacesAlone() async throws {
    try mirror.switchOn()
    let inbox = mirror.inbox(try mirror.store())
    #expect(try await inbox.deal(with: MirrorUnderTest.request("r", "thread/list")) == .taken)
    let rows = mirror.posts.first?.payload["response"]?.objectValue?["data"]?.arrayValue
    #expect(rows?.compactMap { $0.objectValue?["id"] } == ["shown"])
  }

  @Test func aReceiptThatTheRuntimeNeedsNoMoreIsNotRepeated() async throws {
    try mirror.switchOn()
    mirror.refuse(409, #"{"error":{"code":"conflict","message":"request already has its receipt"}}"#)
    let store = try mirror.store()
    let event = MirrorUnderTest.request("r", "thread/list")
    #expect(try await mirror.inbox(store).deal(with: event) == .taken)
    #expect(await store.book.standing(of: "r") == .done)
  }
}
