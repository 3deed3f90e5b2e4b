import EventLedger
import HTTPTypes
import ResolveKitCore
import TestSupport
import Testing

@testable import WorkerRuntime

/// Requests reach a device, and each has one receipt.
@Suite(.timeLimit(.minutes(5)))
struct RequestTests {
  private let id = "desktopw:host:shared"

  private func body(_ request: String, method: String = "turn/start", params: String = #"{"text":"hi"}"#) -> String {
    #"{"request":{"request_id":"\#(request)","method":"\#(method)","params":\#(params)}}"#
  }

  /// A runtime with a worker whose device is there, and the device's stream.
  private func start(
    _ settings: RuntimeSettings = RuntimeSettings()
  ) async throws -> (
    runtime: RuntimeUnderTest, token: String, device: WorkerStreamReader
  ) {
    let runtime = try RuntimeUnderTest(settings: settings)
    let token = try await runtime.token()
    try await runtime.makeWorker(id, token: token)
    let device = WorkerStreamReader(
      try await runtime.respond(.get, "\(id)/stream", token: token, headers: .one("prefer", "wait")))
    #expect(await device.comment())
    return (runtime, token, device)
  }

  private func events(_ runtime: RuntimeUnderTest) async throws -> [LedgerEvent] {
    try await runtime.ledger.events(of: "events/\(id)", after: 0, limit: 1_000)
  }

  @Test func requestToResponseEventChain() async throws {
    let (runtime, token, device) = try await start()
    async let answer = runtime.call(.post, "\(id)/requests", body("req-a"), token: token)
    let asked = try await device.event()
    #expect(asked.at("eventType") == "worker.request")
    #expect(asked.at("payload", "request_id") == "req-a")
    #expect(asked.at("payload", "method") == "turn/start")
    #expect(asked.at("payload", "params") == ["text": "hi"])
    #expect(asked.at("payload", "timeout_ms") == 30_000)
    let receipt =
      #"{"request_id":"req-a","method":"turn/start","ok":true,"response":{"big":12345678901234567890},"occurred_at":"t"}"#
    let first = try await runtime.post("worker.response", receipt, to: id, token: token)
    #expect(first.status == 202)
    let reply = try await answer
    #expect(reply.status == 200)
    #expect(reply.json.at("data", "ok") == true)
    #expect(reply.json.at("data", "request_id") == "req-a")
    #expect(reply.headers[named: "x-ratelimit-limit"] == "60")
    #expect(reply.headers[named: "x-ratelimit-remaining"] == "59")
    // A device whose answer was lost repeats its receipt, and nothing is stored.
    let second = try await runtime.post("worker.response", receipt, to: id, token: token)
    #expect(second.status == 202)
    #expect(second.json.at("data", "seq") == first.json.at("data", "seq"))
    #expect(second.headers[named: "idempotent-replayed"] == "true")
    let other = try await runtime.post(
      "worker.error", #"{"request_id":"req-a","method":"turn/start","code":"conflict","message":"m"}"#, to: id,
      token: token)
    #expect(other.status == 409)
    #expect(other.json.at("error", "message") == "request already has its receipt")
    #expect(try await events(runtime).count { $0.type == "worker.response" || $0.type == "worker.error" } == 1)
  }

  @Test func aRepeatedRequestGetsTheSameReceiptAndAnotherIsAConflict() async throws {
    let (runtime, token, device) = try await start()
    async let one = runtime.call(.post, "\(id)/requests", body("req-a"), token: token)
    _ = try await device.event()
    async let two = runtime.call(.post, "\(id)/requests", body("req-a", params: #"{ "text" : "hi" }"#), token: token)
    let other = try await runtime.call(.post, "\(id)/requests", body("req-a", params: "{}"), token: token)
    #expect(other.status == 409)
    #expect(other.json.at("error", "message") == "request_id was used for another request")
    try await runtime.post(
      "worker.error",
      #"{"request_id":"req-a","method":"turn/start","code":"conflict","message":"several","details":{"a":[]}}"#, to: id,
      token: token)
    let answers = [
      try await one, try await two, try await runtime.call(.post, "\(id)/requests", body("req-a"), token: token),
    ]
    for answer in answers {
      #expect(answer.status == 200)
      #expect(answer.json.at("data", "ok") == false)
      #expect(
        answer.json.at("data", "response") == ["code": "conflict", "message": "several", "details": ["a": []]])
    }
    #expect(try await events(runtime).count { $0.type == "worker.request" } == 1)
  }

  @Test func timeOutUnavailabilityAndConflictAreDistinguished() async throws {
    let (runtime, token, device) = try await start()
    async let late = runtime.call(.post, "\(id)/requests", body("req-late"), token: token)
    _ = try await device.event()
    await runtime.clock.waitForSleep(of: .seconds(30))
    runtime.time.advance(by: .seconds(30))
    runtime.clock.advance(by: .seconds(30))
    let timedOut = try await late
    #expect(timedOut.status == 200)
    #expect(timedOut.json.at("data", "ok") == false)
    #expect(timedOut.json.at("data", "response", "code") == "timeout")
    #expect(timedOut.json.at("data", "response", "retryable") == true)
    let tooLate = try await runtime.post(
      "worker.response", #"{"request_id":"req-late","method":"turn/start","ok":true,"response":1}"#, to: id,
      token: token)
    #expect(tooLate.status == 409)
    // Nobody is there: reported at once, and no request is written.
    runtime.time.advance(by: .seconds(121))
    let nobody = try await runtime.call(.post, "\(id)/requests", body("req-gone"), token: token)
    #expect(nobody.status == 200)
    #expect(nobody.json.at("data", "response", "code") == "worker_unavailable")
    #expect(try await events(runtime).count { $0.type == "worker.request" } == 1)
    let repeated = try await runtime.call(.post, "\(id)/requests", body("req-gone"), token: token)
    #expect(repeated.json == nobody.json)
    #expect(try await runtime.call(.post, "\(id)/requests", body("req-gone", params: "{}"), token: token).status == 409)
  }

  @Test func stopBehaviourAndConflictSemantics() async throws {
    let (runtime, token, device) = try await start()
    async let waiting = runtime.call(.post, "\(id)/requests", body("req-a"), token: token)
    _ = try await device.event()
    #expect(try await runtime.call(.post, "\(id)/stop", #"{"reason":"enough"}"#, token: token).status == 202)
    #expect(try await waiting.json.at("data", "response", "code") == "worker_unavailable")
    let stored = try await events(runtime)
    #expect(stored.suffix(2).map(\.type) == ["worker.error", "worker.stopped"])
    #expect(stored.last.map(\.members) == ["reason": "enough"])
    for (path, body) in [
      ("requests", body("req-b")), ("events", #"{"event":{"event_type":"worker.event"}}"#),
    ] {
      let refused = try await runtime.call(.post, "\(id)/\(path)", body, token: token)
      #expect(refused.status == 409)
      #expect(
        refused.json == [
          "error": ["code": "conflict", "message": "worker is stopped; create or reattach to resume"]
        ])
    }
    #expect(try await events(runtime).count == stored.count)
    // The contract takes a device's worker.stopped all the same.
    #expect(try await runtime.post("worker.stopped", #"{"reason":"again"}"#, to: id, token: token).status == 202)
    try await runtime.makeWorker(id, token: token)
    #expect(try await runtime.post("worker.event", "{}", to: id, token: token).status == 202)
    // Posted by a device, it stops the worker.
    #expect(try await runtime.post("worker.stopped", "{}", to: id, token: token).status == 202)
    #expect(try await runtime.call(.get, id, token: token).json.at("data", "status") == "stopped")
  }

  @Test(arguments: [
    ("{}", 422), (#"{"request":[]}"#, 422), (#"{"request":{"method":"turn/start"}}"#, 422),
    (#"{"request":{"request_id":"r","method":"shell/run"}}"#, 422),
    (#"{"request":{"request_id":"r","method":"turn/start","params":[1]}}"#, 422),
    (#"{"request":{"request_id":"r","method":"turn/start","sent_at":"soon"}}"#, 422),
    (#"{"request":{"request_id":7,"method":"turn/start"}}"#, 422),
    (
      #"{"request":{"request_id":"r","method":"turn/start","request_version":"\#(String(repeating: "1", count: 33))"}}"#,
      422
    ),
    (#"{"request":{"request_id":"\#(String(repeating: "r", count: 161))","method":"turn/start"}}"#, 422),
    ("{", 400), ("7", 400), ("\u{1}", 400),
    (
      #"{"request":{"request_id":"r","method":"turn/start","params":[],"sent_at":"2026-02-20T00:00:00Z","more":1}}"#,
      200
    ),
  ])
  func requestsAreCheckedBeforeDispatch(_ body: String, _ status: Int) async throws {
    let runtime = try RuntimeUnderTest()
    let token = try await runtime.token()
    try await runtime.makeWorker("w-echo", token: token, adapter: "in_memory", heartbeat: false)
    let answer = try await runtime.call(.post, "w-echo/requests", body, token: token)
    #expect(answer.status == status)
    switch status {
    case 422: #expect(answer.json.at("errors").objectValue?.isEmpty == false)
    case 400: #expect(answer.json.at("error", "code") == "invalid_request")
    default: #expect(answer.json.at("data", "response", "result", "echo") == [:])
    }
    if status != 200 {
      #expect(try await runtime.call(.get, "w-echo", token: token).json.at("data", "latest_seq") == 1)
    }
  }

  @Test(arguments: [
    ("{}", 422), (#"{"event":{}}"#, 422), (#"{"event":{"event_type":"thread.started"}}"#, 422),
    (#"{"event":{"event_type":"worker.event","payload":7}}"#, 422),
    (#"{"event":{"event_type":"worker.event","payload":[1]}}"#, 422),
    (#"{"event":{"event_type":"worker.\#(String(repeating: "x", count: 154))"}}"#, 422),
    (#"{"event":{"event_type":"worker.\#(String(repeating: "x", count: 114))"}}"#, 400),
    (#"{"event":{"event_type":"worker.a b"}}"#, 400), (#"{"event":{"event_type":"worker.request"}}"#, 400),
    (#"{"event":{"event_type":"worker.response","payload":{"request_id":"none"}}}"#, 400),
    (#"{"event":{"event_type":"worker.\#(String(repeating: "x", count: 113))","payload":[]}}"#, 202),
    (#"{"event":{"event_type":"worker.error","payload":{"message":"no receipt"}}}"#, 202),
  ])
  func eventsAreChecked(_ body: String, _ status: Int) async throws {
    let runtime = try RuntimeUnderTest()
    let token = try await runtime.token()
    let id = try await runtime.makeWorker(token: token, heartbeat: false)
    #expect(try await runtime.call(.post, "\(id)/events", body, token: token).status == status)
    let expected: JSONValue = status == 202 ? 2 : 1
    #expect(try await runtime.call(.get, id, token: token).json.at("data", "latest_seq") == expected)
  }

  @Test func anIdempotencyKeyStoresAnEventOnce() async throws {
    let runtime = try RuntimeUnderTest()
    let token = try await runtime.token()
    let id = try await runtime.makeWorker(token: token, heartbeat: false)
    let key = HTTPFields.one("idempotency-key", "k-1")
    let first = try await runtime.post("worker.event", #"{"n":1}"#, to: id, token: token, headers: key)
    try await runtime.post("worker.event", #"{"n":2}"#, to: id, token: token)
    let second = try await runtime.post("worker.event", #"{"n":1}"#, to: id, token: token, headers: key)
    #expect(first.status == 202 && second.status == 202)
    #expect(second.json == first.json)
    #expect(second.headers[named: "idempotent-replayed"] == "true")
    #expect(try await runtime.post("worker.event", #"{"n":3}"#, to: id, token: token, headers: key).status == 409)
    // Without a key a post is stored each time.
    try await runtime.post("worker.event", #"{"n":2}"#, to: id, token: token)
    #expect(try await runtime.call(.get, id, token: token).json.at("data", "latest_seq") == 4)
    let bad = HTTPFields.one("idempotency-key", String(repeating: "k", count: 201))
    #expect(try await runtime.post("worker.event", "{}", to: id, token: token, headers: bad).status == 400)
    let stop = HTTPFields.one("idempotency-key", "k-stop")
    let stopped = try await runtime.post("worker.stopped", "{}", to: id, token: token, headers: stop)
    let again = try await runtime.post("worker.stopped", "{}", to: id, token: token, headers: stop)
    #expect(stopped.status == 202 && again.json == stopped.json)
  }

  @Test func requestsAreThrottledByUser() async throws {
    let runtime = try RuntimeUnderTest()
    let ana = try await runtime.token("ana@example.com")
    let ben = try await runtime.token("ben@example.com")
    try await runtime.makeWorker("w-a", token: ana, adapter: "in_memory", heartbeat: false)
    try await runtime.makeWorker("w-b", token: ben, adapter: "in_memory", heartbeat: false)
    for number in 0..<60 {
      #expect(try await runtime.call(.post, "w-a/requests", body("r-\(number)"), token: ana).status == 200)
    }
    runtime.time.advance(by: .milliseconds(500))
    let refused = try await runtime.call(.post, "w-a/requests", body("r-60"), token: ana)
    #expect(refused.status == 429)
    #expect(refused.json == ["message": "Too Many Attempts."])
    #expect(refused.headers[.retryAfter] == "60")
    #expect(refused.headers[named: "x-ratelimit-limit"] == "60")
    #expect(refused.headers[named: "x-ratelimit-remaining"] == "0")
    #expect(try await runtime.call(.post, "w-b/requests", body("r"), token: ben).status == 200)
    runtime.time.advance(by: .seconds(60))
    #expect(try await runtime.call(.post, "w-a/requests", body("r-60"), token: ana).status == 200)
  }

  @Test func requestsOfARuntimeThatIsGoneEndInAnother() async throws {
    let (runtime, token, device) = try await start()
    let asking = Task { try await runtime.call(.post, "\(id)/requests", body("req-a"), token: token) }
    _ = try await device.event()
    // It shuts down before the device answers: a caller that asks again joins the request elsewhere.
    runtime.core.endStreams()
    #expect(try await asking.value.status == 503)
    let other = try RuntimeUnderTest(runtime.ledger, time: runtime.time)
    _ = try await other.call(.get, id, token: token)
    runtime.time.advance(by: .seconds(31))
    try await other.core.tidy()
    let answer = try await other.call(.post, "\(id)/requests", body("req-a"), token: token)
    #expect(answer.json.at("data", "response", "code") == "timeout")
    #expect(try await events(runtime).count { $0.type == "worker.error" } == 1)
  }
}
