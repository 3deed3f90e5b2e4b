import EventLedger
import HTTPTypes
import Hummingbird
import ResolveKitCore
import Testing

@testable import WorkerRuntime

/// Workers are made, found and listed, each to its own user.
@Suite(.timeLimit(.minutes(5)))
struct RegistryTests {
  @Test func signedInUserSeesPrincipalScopedWorkerList() async throws {
    let runtime = try RuntimeUnderTest()
    let ana = try await runtime.token("ana@example.com")
    let ben = try await runtime.token("ben@example.com")
    try await runtime.makeWorker("worker-of-ana", token: ana)
    try await runtime.makeWorker("worker-of-ben", token: ben)
    for (token, id) in [(ana, "worker-of-ana"), (ben, "worker-of-ben")] {
      let list = try await runtime.call(.get, "", token: token)
      #expect(list.status == 200)
      #expect(list.json.at("data").arrayValue?.map { $0.at("worker_id") } == [.string(id)])
    }
    let foreign = try await runtime.call(.get, "worker-of-ben", token: ana)
    #expect(foreign.status == 403)
    #expect(
      foreign.json == ["error": ["code": "forbidden", "message": "worker does not belong to principal"]])
    let unknown = try await runtime.call(.get, "worker-of-nobody", token: ana)
    #expect(unknown.status == 404)
    #expect(unknown.json == ["error": ["code": "not_found", "message": "worker not found"]])
  }

  @Test func everyRouteKnowsOwnerStrangerAndNobody() async throws {
    let runtime = try RuntimeUnderTest()
    let ana = try await runtime.token("ana@example.com")
    let ben = try await runtime.token("ben@example.com")
    let id = try await runtime.makeWorker(token: ana)
    let request = #"{"request":{"request_id":"r","method":"thread/list"}}"#
    let event = #"{"event":{"event_type":"worker.event"}}"#
    for (method, path, body) in [
      (.get, "", nil), (.get, "/stream", nil), (.post, "/requests", request), (.post, "/events", event),
      (.post, "/stop", "{}"),
    ] as [(HTTPRequest.Method, String, String?)] {
      #expect(try await runtime.call(method, id + path, body, token: ben).status == 403, "\(path)")
      #expect(try await runtime.call(method, "nobody" + path, body, token: ben).status == 404, "\(path)")
      for token in [nil, "", "workers_0", String(repeating: "x", count: 10_000)] {
        let answer = try await runtime.call(method, id + path, body, token: token)
        #expect(answer.status == 401, "\(path)")
        #expect(answer.json == ["message": "Unauthenticated."])
      }
    }
    #expect(try await runtime.call(.get, id, token: ana).json.at("data", "latest_seq") == 2)
    #expect(try await runtime.call(.post, "", #"{"worker_id":"\#(id)"}"#, token: ben).status == 403)
  }

  @Test func aWorkerIsMadeReplayedStoppedAndReattached() async throws {
    let runtime = try RuntimeUnderTest()
    let token = try await runtime.token()
    let body =
      #"{"worker_id":"desktopw:host:shared","adapter":"desktop_bridge","workspace_ref":"ws","metadata":{"n":12345678901234567890}}"#
    let made = try await runtime.call(.post, "", body, token: token)
    #expect(made.status == 202)
    #expect(
      made.json == [
        "data": [
          "workerId": "desktopw:host:shared", "status": "running", "latestSeq": 1, "idempotentReplay": false,
        ]
      ])
    let replayed = try await runtime.call(.post, "", body, token: token)
    #expect(replayed.status == 200)
    #expect(replayed.json.at("data", "idempotentReplay") == true)
    let stopped = try await runtime.call(
      .post, "desktopw%3Ahost%3Ashared/stop", #"{"reason":"done"}"#, token: token)
    #expect(stopped.status == 202)
    #expect(
      stopped.json == [
        "data": ["worker_id": "desktopw:host:shared", "status": "stopped", "idempotent_replay": false]
      ])
    let again = try await runtime.call(.post, "desktopw:host:shared/stop", token: token)
    #expect(again.status == 200)
    #expect(again.json.at("data", "idempotent_replay") == true)
    let reattached = try await runtime.call(.post, "", body, token: token)
    #expect(reattached.status == 202)
    #expect(reattached.json.at("data", "status") == "running")
    #expect(reattached.json.at("data", "latestSeq") == 3)
  }

  @Test func theSnapshotHasTheContractsFields() async throws {
    let runtime = try RuntimeUnderTest()
    let token = try await runtime.token()
    let body =
      #"{"worker_id":"w-1","adapter":"desktop_bridge","workspace_ref":"ws","codex_home_ref":"~/.codex","metadata":{ "big": 12345678901234567890 }}"#
    _ = try await runtime.call(.post, "", body, token: token)
    let response = try await runtime.respond(.get, "w-1", token: token)
    let text = String(decoding: try await RuntimeUnderTest.collect(response), as: UTF8.self)
    // Metadata stays as it came, digits beyond a double's among it.
    #expect(text.contains(#""metadata":{ "big": 12345678901234567890 }"#))
    let data = try JSONValue(parsing: text).at("data")
    let names = try #require(data.objectValue).keys.sorted()
    #expect(
      names == [
        "adapter", "codex_home_ref", "heartbeat_age_ms", "heartbeat_stale_after_ms", "heartbeat_state",
        "last_heartbeat_at", "latest_seq", "metadata", "started_at", "status", "stopped_at", "updated_at",
        "worker_id", "workspace_ref",
      ])
    #expect(data.at("status") == "running")
    #expect(data.at("heartbeat_state") == "missing")
    #expect(data.at("heartbeat_stale_after_ms") == 120_000)
    #expect(data.at("started_at") == .string(runtime.time.now.zulu))
    #expect(data.at("stopped_at") == .null)
    #expect(data.at("codex_home_ref") == "~/.codex")
  }

  @Test func heartbeatsAreTheDevicesOwnAlone() async throws {
    let runtime = try RuntimeUnderTest()
    let token = try await runtime.token()
    let id = try await runtime.makeWorker(token: token)
    func heartbeat() async throws -> JSONValue {
      try await runtime.call(.get, id, token: token).json.at("data", "heartbeat_state")
    }
    #expect(try await heartbeat() == "fresh")
    runtime.time.advance(by: .seconds(120))
    #expect(try await heartbeat() == "fresh")
    runtime.time.advance(by: .seconds(1))
    #expect(try await heartbeat() == "stale")
    // A telephone's handshake does not make a dead desktop look alive.
    try await runtime.post("worker.event", #"{"method":"ios/handshake"}"#, to: id, token: token)
    #expect(try await heartbeat() == "stale")
    try await runtime.post("worker.heartbeat", "[]", to: id, token: token)
    #expect(try await heartbeat() == "fresh")
    _ = try await runtime.call(.post, "\(id)/stop", token: token)
    #expect(try await heartbeat() == "stopped")
  }

  @Test func theListFiltersAndSorts() async throws {
    let runtime = try RuntimeUnderTest()
    let token = try await runtime.token()
    for (id, workspace) in [("w-one", "a"), ("w-two", "b"), ("w-three", "a")] {
      _ = try await runtime.call(
        .post, "", #"{"worker_id":"\#(id)","workspace_ref":"\#(workspace)"}"#, token: token)
      runtime.time.advance(by: .seconds(1))
    }
    _ = try await runtime.call(.post, "w-two/stop", token: token)
    runtime.time.advance(by: .seconds(1))
    try await runtime.post("worker.event", "{}", to: "w-one", token: token)
    func ids(_ query: String) async throws -> [String] {
      try await runtime.call(.get, query, token: token).json.at("data").arrayValue?
        .compactMap { $0.at("worker_id").stringValue } ?? []
    }
    #expect(try await ids("") == ["w-one", "w-two", "w-three"])
    #expect(try await ids("?status=running") == ["w-one", "w-three"])
    #expect(try await ids("?status=stopped") == ["w-two"])
    #expect(try await ids("?workspace_ref=a") == ["w-one", "w-three"])
    #expect(try await ids("?limit=1") == ["w-one"])
    #expect(try await ids("?workspace_ref=c") == [])
  }

  @Test func escapesInPathsAndQueriesAreReadOnce() async throws {
    let runtime = try RuntimeUnderTest()
    let token = try await runtime.token()
    let body = #"{"worker_id":"desktopw:host:shared","adapter":"desktop_bridge","workspace_ref":"a b"}"#
    #expect(try await runtime.call(.post, "", body, token: token).status == 202)
    for (number, id) in ["desktopw:host:shared", "desktopw%3Ahost%3ashared", "%64esktopw%3Ahost:shared"].enumerated() {
      #expect(try await runtime.call(.get, id, token: token).json.at("data", "worker_id") == "desktopw:host:shared")
      #expect(try await runtime.post("worker.event", "{}", to: id, token: token).status == 202)
      #expect(try await runtime.respond(.get, "\(id)/stream", token: token).status == .ok)
      let request = #"{"request":{"request_id":"r%3A\#(number)","method":"thread/list"}}"#
      let answer = try await runtime.call(.post, "\(id)/requests", request, token: token)
      #expect(answer.json.at("data", "request_id") == .string("r%3A\(number)"))
    }
    for id in [
      "desktopw%253Ahost%253Ashared", "desktopw%3Ahost%3Ashared%2Fstream", "desktopw%3Ahost%3Ashared%20", "%zz", "%",
      "a%00b", "%FF%FE%FD", "..%2f..", "%2e%2e",
    ] {
      for path in [id, "\(id)/stream"] {
        #expect(try await runtime.call(.get, path, token: token).status == 404, "\(path)")
      }
      #expect(try await runtime.call(.post, "\(id)/stop", token: token).status == 404, "\(id)")
    }
    for (query, count) in [("a%20b", 1), ("a%2520b", 0), ("%zz", 0)] {
      let list = try await runtime.call(.get, "?workspace_ref=\(query)", token: token)
      #expect(list.json.at("data").arrayValue?.count == count, "\(query)")
    }
    #expect(try await runtime.call(.post, "desktopw%3Ahost%3Ashared/stop", token: token).status == 202)
  }

  @Test func chosenIDsHaveNoDigits() async throws {
    let runtime = try RuntimeUnderTest()
    let token = try await runtime.token()
    var ids: Set<String> = []
    for _ in 0..<20 {
      let id = try #require(
        try await runtime.call(.post, "", "[]", token: token).json.at("data", "workerId").stringValue)
      #expect(id.wholeMatch(of: /codexw_[a-z]{24}/) != nil, "\(id)")
      ids.insert(id)
    }
    #expect(ids.count == 20)
  }
}
