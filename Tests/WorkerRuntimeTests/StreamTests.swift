import EventLedger
import EventStream
import GRDB
import HTTPTypes
import Hummingbird
import ResolveKitCore
import TestSupport
import Testing

@testable import WorkerRuntime

/// A worker's event stream, by the contract's rules and with the extension that has no end.
@Suite(.timeLimit(.minutes(5)))
struct StreamTests {
  private func numbers(_ text: String) -> [Int] {
    text.split(separator: "\n").filter { $0.hasPrefix("id: ") }.compactMap { Int($0.dropFirst(4)) }
  }

  @Test func framesAreTheContracts() async throws {
    let runtime = try RuntimeUnderTest()
    let token = try await runtime.token()
    let id = try await runtime.makeWorker(token: token, heartbeat: false)
    let at = runtime.time.now.zulu
    let payload =
      #"{ "phone": "+1 (555) 010-9999", "at":"2026-02-20T00:00:00Z", "n": 12345678901234567890,\#n "e": {} }"#
    let posted = try await runtime.post("worker.event", payload, to: id, token: token)
    #expect(posted.status == 202)
    #expect(posted.json.at("data", "seq") == 2)
    #expect(posted.json.at("data", "occurred_at") == .string(at))
    let text = try await runtime.stream(id, "?cursor=1", token: token)
    // Not a byte of the payload is another, but for the line end that one data line has no room for.
    let kept = #"{ "phone": "+1 (555) 010-9999", "at":"2026-02-20T00:00:00Z", "n": 12345678901234567890,  "e": {} }"#
    #expect(
      text == """
        id: 2
        event: codex.worker.event
        data: {"workerId":"\(id)","seq":2,"eventType":"worker.event","payload":\(kept),"occurredAt":"\(at)"}


        """)
    let response = try await runtime.respond(.get, "\(id)/stream", token: token)
    #expect(response.headers[.contentType] == "text/event-stream")
    #expect(response.headers[.cacheControl] == "no-cache, no-transform")
    #expect(response.headers[named: "x-accel-buffering"] == "no")
  }

  @Test func cursorsBeginWhereTheContractSays() async throws {
    let runtime = try RuntimeUnderTest()
    let token = try await runtime.token()
    let id = try await runtime.makeWorker(token: token, heartbeat: false)
    for _ in 0..<4 { try await runtime.post("worker.event", "{}", to: id, token: token) }
    #expect(numbers(try await runtime.stream(id, "?cursor=0", token: token)) == [1, 2, 3, 4, 5])
    #expect(numbers(try await runtime.stream(id, "?cursor=3", token: token)) == [4, 5])
    #expect(numbers(try await runtime.stream(id, token: token, headers: .one("last-event-id", "4"))) == [5])
    #expect(
      numbers(try await runtime.stream(id, "?cursor=4", token: token, headers: .one("last-event-id", "4"))) == [5])
    // Without a cursor there is no replay, and one beyond the end waits silently: an empty 200 is normal.
    #expect(try await runtime.stream(id, token: token) == "")
    #expect(try await runtime.stream(id, "?cursor=99", token: token) == "")
    let unequal = try await runtime.call(
      .get, "\(id)/stream?cursor=3", token: token, headers: .one("last-event-id", "4"))
    #expect(unequal.status == 400)
    #expect(
      unequal.json == [
        "error": ["code": "invalid_request", "message": "cursor query and Last-Event-ID must match"]
      ])
  }

  @Test(arguments: [
    ("?cursor=x", 422), ("?cursor=-1", 422), ("?cursor=1.5", 422), ("?cursor=99999999999999999999", 422),
    ("?tail_ms=0", 422), ("?tail_ms=120001", 422), ("?tail_ms=", 200), ("?tail_ms=ten", 422),
  ])
  func queriesAreChecked(_ query: String, _ status: Int) async throws {
    let runtime = try RuntimeUnderTest()
    let token = try await runtime.token()
    let id = try await runtime.makeWorker(token: token)
    let response = try await runtime.respond(.get, "\(id)/stream\(query)", token: token)
    #expect(response.status.code == status)
    if status == 422 {
      let json = try JSONValue(parsing: try await RuntimeUnderTest.collect(response))
      #expect(json.at("errors").objectValue?.count == 1)
    }
  }

  @Test func aHeaderThatIsNoNumberIsTheRuntimesToRefuse() async throws {
    let runtime = try RuntimeUnderTest()
    let token = try await runtime.token()
    let id = try await runtime.makeWorker(token: token)
    for text in ["x", "-1", "1e3", "99999999999999999999"] {
      let answer = try await runtime.call(.get, "\(id)/stream", token: token, headers: .one("last-event-id", text))
      #expect(answer.status == 400, "\(text)")
    }
  }

  @Test func aTailEndsInTimeAndHasWhatCameBefore() async throws {
    let runtime = try RuntimeUnderTest()
    let token = try await runtime.token()
    let id = try await runtime.makeWorker(token: token, heartbeat: false)
    let reader = WorkerStreamReader(try await runtime.respond(.get, "\(id)/stream?cursor=0&tail_ms=200", token: token))
    #expect(await reader.sequences(1) == [1])
    try await runtime.post("worker.event", "{}", to: id, token: token)
    #expect(await reader.sequences(1) == [2])
    await runtime.clock.waitForSleep(of: .milliseconds(200))
    runtime.clock.advance(by: .milliseconds(200))
    await reader.waitForEnd()
  }

  @Test func streamReconnectsAndAdvancesCursorWithoutEventLossOrDuplication() async throws {
    let runtime = try RuntimeUnderTest()
    let token = try await runtime.token()
    let id = try await runtime.makeWorker(token: token, heartbeat: false)
    var generator = SeededGenerator(seed: 7)
    var seen: [Int] = []
    for round in 0..<40 {
      for _ in 0..<Int.random(in: 0...3, using: &generator) {
        try await runtime.post("worker.event", #"{"round":\#(round)}"#, to: id, token: token)
      }
      seen += numbers(try await runtime.stream(id, "?cursor=\(seen.last ?? 0)&tail_ms=1", token: token))
    }
    #expect(seen == Array(1...seen.count))
    // Snapshot and stream stay coherent under reconnect.
    #expect(
      try await runtime.call(.get, id, token: token).json.at("data", "latest_seq") == JSONValue(Int64(seen.count)))
  }

  @Test func anEndlessStreamBringsEventsAtOnceAndComments() async throws {
    let runtime = try RuntimeUnderTest()
    let token = try await runtime.token()
    let id = try await runtime.makeWorker(token: token, heartbeat: false)
    let response = try await runtime.respond(
      .get, "\(id)/stream?cursor=0&tail_ms=1", token: token, headers: .one("prefer", "respond-async, wait"))
    #expect(response.headers[named: "preference-applied"] == "wait")
    let reader = WorkerStreamReader(response)
    #expect(await reader.comment())
    #expect(await reader.sequences(1) == [1])
    await runtime.clock.waitForSleep(of: .seconds(15))
    runtime.clock.advance(by: .seconds(15))
    #expect(await reader.comment())
    try await runtime.post("worker.event", "{}", to: id, token: token)
    #expect(await reader.sequences(1) == [2])
    // A runtime that shuts down ends it gracefully.
    runtime.core.endStreams()
    await reader.waitForEnd()
  }

  @Test func aRevokedTokenEndsItsStreams() async throws {
    let runtime = try RuntimeUnderTest()
    let token = try await runtime.token()
    let id = try await runtime.makeWorker(token: token)
    let reader = WorkerStreamReader(
      try await runtime.respond(.get, "\(id)/stream", token: token, headers: .one("prefer", "wait")))
    #expect(await reader.comment())
    let issued = try #require(try await runtime.core.accounts.book().tokens(of: nil).first)
    #expect(try await runtime.core.accounts.revoke(issued.id))
    await runtime.clock.waitForSleep(of: .seconds(15))
    runtime.clock.advance(by: .seconds(15))
    await reader.waitForEnd()
    #expect(try await runtime.call(.get, id, token: token).status == 401)
  }

  @Test func streamsAreLimitedAndFreeAgain() async throws {
    var settings = RuntimeSettings()
    settings.streamsPerUser = 2
    let runtime = try RuntimeUnderTest(settings: settings)
    let token = try await runtime.token()
    let id = try await runtime.makeWorker(token: token)
    let wait = HTTPFields.one("prefer", "wait")
    let readers = [
      WorkerStreamReader(try await runtime.respond(.get, "\(id)/stream", token: token, headers: wait)),
      WorkerStreamReader(try await runtime.respond(.get, "\(id)/stream", token: token, headers: wait)),
    ]
    for reader in readers { #expect(await reader.comment()) }
    let refused = try await runtime.call(.get, "\(id)/stream", token: token, headers: wait)
    #expect(refused.status == 429 && refused.headers[.retryAfter] == "1")
    readers[0].leave()
    await readers[0].waitForEnd()
    #expect(try await runtime.respond(.get, "\(id)/stream", token: token, headers: wait).status == .ok)
  }

  @Test func aCursorBelowTheRetentionFloorIs410AndTheSnapshotRecovers() async throws {
    var settings = RuntimeSettings()
    settings.keptEvents = 16
    let runtime = try RuntimeUnderTest(settings: settings)
    let token = try await runtime.token()
    let id = try await runtime.makeWorker(token: token, heartbeat: true)
    for _ in 0..<38 { try await runtime.post("worker.event", "{}", to: id, token: token) }
    try await runtime.core.tidy()
    let answer = try await runtime.call(.get, "\(id)/stream?cursor=1", token: token)
    #expect(answer.status == 410)
    #expect(
      answer.json == [
        "error": ["code": "stale_cursor", "message": "cursor is older than retention floor", "resume_after": 24]
      ])
    // oldest_seq - 1 is the oldest cursor that is good.
    #expect(numbers(try await runtime.stream(id, "?cursor=24", token: token)) == Array(25...40))
    #expect(try await runtime.call(.get, "\(id)/stream?cursor=23", token: token).status == 410)
    let snapshot = try await runtime.call(.get, id, token: token).json.at("data")
    #expect(snapshot.at("latest_seq") == 40)
    // A runtime that starts knows what happened before the floor.
    let other = try RuntimeUnderTest(runtime.ledger, settings: settings, time: runtime.time)
    #expect(try await other.call(.get, id, token: token).json.at("data") == snapshot)
  }

  @Test func theOtherDialectHidesFailuresBehind200() async throws {
    var settings = RuntimeSettings()
    settings.keptEvents = 1
    settings.dialect = .laravel
    let runtime = try RuntimeUnderTest(settings: settings)
    let token = try await runtime.token()
    let id = try await runtime.makeWorker(token: token)
    try await runtime.post("worker.event", "{}", to: id, token: token)
    try await runtime.core.tidy()
    for (query, field, status) in [("?cursor=0", nil, 410), ("?cursor=2", "3", 400)] as [(String, String?, Int)] {
      let headers = field.map { HTTPFields.one("last-event-id", $0) } ?? [:]
      // Tried again twice.
      for _ in 0..<2 { runtime.clock.skipSleep(of: .milliseconds(200)) }
      let response = try await runtime.respond(.get, "\(id)/stream\(query)", token: token, headers: headers)
      #expect(response.status == .ok)
      let text = String(decoding: try await RuntimeUnderTest.collect(response), as: UTF8.self)
      #expect(
        text == """
          event: error
          data: {"error":{"code":"runtime_codex_stream_failed","message":"runtime codex stream returned HTTP \(status)"}}


          """)
    }
    // What is checked before the proxy has sent anything keeps its status.
    #expect(try await runtime.call(.get, "nobody/stream", token: token).status == 404)
    #expect(try await runtime.call(.get, "\(id)/stream?tail_ms=0", token: token).status == 422)
  }

  @Test func theOtherDialectHidesWhatElseFailsToo() async throws {
    var settings = RuntimeSettings()
    settings.dialect = .laravel
    settings.streamsPerUser = 1
    let time = SetTimeOfDay()
    let ledger = AwayLedger(try SQLiteEventLedger(DatabaseQueue(), now: { time.now }))
    let runtime = try RuntimeUnderTest(ledger, settings: settings, time: time)
    let token = try await runtime.token()
    let id = try await runtime.makeWorker(token: token)
    let open = try await runtime.respond(.get, "\(id)/stream?cursor=0", token: token, headers: .one("prefer", "wait"))
    // An extension that the proxy does not pass on.
    #expect(open.headers[named: "preference-applied"] == nil)
    for _ in 0..<2 { runtime.clock.skipSleep(of: .milliseconds(200)) }
    let second = try await runtime.respond(.get, "\(id)/stream?cursor=0", token: token)
    let text = String(decoding: try await RuntimeUnderTest.collect(second), as: UTF8.self)
    #expect(second.status == .ok && text.contains("runtime codex stream returned HTTP 429"))
    withExtendedLifetime(open) {}
    ledger.set(isAway: true)
    let away = try await runtime.call(.get, id, token: token)
    #expect(away.status == 502 && away.json.at("error", "code") == "runtime_codex_failed")
  }

  @Test(arguments: [
    ("{}", "[]"), (#"{"a":{ },"b":"{}","c":[{}]}"#, #"{"a":[ ],"b":"{}","c":[[]]}"#),
    (#"{"a":"\"{}","b":{"c":{}}}"#, #"{"a":"\"{}","b":{"c":[]}}"#), ("", ""), ("}", "}"), (#"{"a":1}"#, #"{"a":1}"#),
    (#""\\"{}"#, #""\\"[]"#),
  ])
  func emptyObjectsBecomeArraysOutsideOfStrings(_ text: String, _ expected: String) {
    #expect(String(decoding: EmptyObjects.asArrays(Array(text.utf8)), as: UTF8.self) == expected)
  }

  @Test func theHandshakePassesThroughTheLedger() async throws {
    let runtime = try RuntimeUnderTest()
    let token = try await runtime.token()
    let id = try await runtime.makeWorker(token: token)
    let desktop = WorkerStreamReader(
      try await runtime.respond(.get, "\(id)/stream", token: token, headers: .one("prefer", "wait")))
    #expect(await desktop.comment())
    let phone = WorkerStreamReader(
      try await runtime.respond(.get, "\(id)/stream?cursor=1", token: token, headers: .one("prefer", "wait")))
    let hello =
      #"{"source":"autopilot-ios","method":"ios/handshake","handshake_id":"hs-abc","device_id":"d","occurred_at":"2026-02-20T00:00:00Z"}"#
    #expect(try await runtime.post("worker.event", hello, to: id, token: token).status == 202)
    let heard = try await desktop.event()
    #expect(heard.at("payload") == (try JSONValue(parsing: hello)))
    let ack =
      #"{"source":"autopilot-desktop","method":"desktop/handshake_ack","handshake_id":"hs-abc","desktop_session_id":"s","occurred_at":"2026-02-20T00:00:01Z"}"#
    try await runtime.post("worker.event", ack, to: id, token: token)
    var event = try await phone.event()
    while event.at("payload", "method") != "desktop/handshake_ack" { event = try await phone.event() }
    #expect(event.at("payload", "handshake_id") == "hs-abc")
  }
}
