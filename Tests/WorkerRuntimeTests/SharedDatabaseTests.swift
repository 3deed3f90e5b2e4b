import EventLedger
import EventLedgerPostgres
import HTTPTypes
import ResolveKitCore
import TestSupport
import Testing

@testable import WorkerRuntime

/// Three runtimes on one PostgreSQL: one answer, whichever of them is asked and by however many at once.
@Suite(
  .timeLimit(.minutes(10)), .enabled(if: PostgresCluster.isExpected, "PostgreSQL: Tools/setup --tests installs it"))
struct SharedDatabaseTests {
  private let id = "desktopw:host:shared"

  /// Runtimes, each with connections of its own, and the tokens of two users.
  private struct Fleet: Sendable {
    let runtimes: [RuntimeUnderTest]
    let ana: String
    let ben: String

    /// The runtimes' answers to the same request, all asked at once.
    func all(
      _ path: String, _ body: @escaping @Sendable (Int) -> String, token: String? = nil, headers: HTTPFields = [:]
    )
      async throws -> [RuntimeUnderTest.Answer]
    {
      try await withThrowingTaskGroup(of: (Int, RuntimeUnderTest.Answer).self) { group in
        for (number, runtime) in runtimes.enumerated() {
          group.addTask {
            (number, try await runtime.call(.post, path, body(number), token: token ?? ana, headers: headers))
          }
        }
        return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }.sorted { $0.key < $1.key }.map(\.value)
      }
    }
  }

  private func start(_ settings: RuntimeSettings = RuntimeSettings()) async throws -> Fleet {
    let url = try PostgresCluster.get().makeDatabase()
    // Events have the database's time.
    let time = SetTimeOfDay(.current)
    var runtimes: [RuntimeUnderTest] = []
    for _ in 0..<3 {
      runtimes.append(try RuntimeUnderTest(try await PostgresEventLedger.open(url), settings: settings, time: time))
    }
    return Fleet(
      runtimes: runtimes, ana: try await runtimes[0].token("ana@example.com"),
      ben: try await runtimes[1].token("ben@example.com"))
  }

  private func events(_ fleet: Fleet) async throws -> [LedgerEvent] {
    try await fleet.runtimes[0].ledger.events(of: "events/\(id)", after: 0, limit: 1_000)
  }

  private func event(_ type: String, _ payload: String) -> String {
    #"{"event":{"event_type":"\#(type)","payload":\#(payload)}}"#
  }

  @Test func aRequestThatIsSentEverywhereAtOnceReachesTheDeviceOnce() async throws {
    let fleet = try await start()
    try await fleet.runtimes[0].makeWorker(id, token: fleet.ana)
    for round in 0..<12 {
      let body = #"{"request":{"request_id":"r-\#(round)","method":"turn/start","params":{"n":1}}}"#
      async let answers = fleet.all("\(id)/requests", { _ in body })
      try await until { try await events(fleet).contains { $0.members["request_id"] == .string("r-\(round)") } }
      let receipt = #"{"request_id":"r-\#(round)","method":"turn/start","ok":true,"response":{"round":\#(round)}}"#
      let stored = try await fleet.runtimes[round % 3].post("worker.response", receipt, to: id, token: fleet.ana)
      #expect(stored.status == 202)
      for answer in try await answers {
        #expect(answer.status == 200)
        #expect(answer.json.at("data", "response") == ["round": JSONValue(Int64(round))])
      }
    }
    #expect(try await events(fleet).count { $0.type == "worker.request" } == 12)
  }

  @Test func storesOneReceiptPerRequest() async throws {
    let fleet = try await start()
    try await fleet.runtimes[0].makeWorker(id, token: fleet.ana)
    for round in 0..<12 {
      let request = #"{"request":{"request_id":"r-\#(round)","method":"turn/start"}}"#
      async let answer = fleet.runtimes[0].call(.post, "\(id)/requests", request, token: fleet.ana)
      try await until { try await events(fleet).contains { $0.members["request_id"] == .string("r-\(round)") } }
      // Three devices, or one that lost its answer and thought better of it.
      let receipts = try await fleet.all("\(id)/events") { number in
        event(
          "worker.response",
          #"{"request_id":"r-\#(round)","method":"turn/start","ok":true,"response":\#(number)}"#)
      }
      #expect(receipts.map(\.status).sorted() == [202, 409, 409])
      let winner = try #require(receipts.firstIndex { $0.status == 202 })
      #expect(try await answer.json.at("data", "response") == JSONValue(Int64(winner)))
      // The same one again is its own repeat everywhere.
      let repeats = try await fleet.all("\(id)/events") { _ in
        event(
          "worker.response",
          #"{"request_id":"r-\#(round)","method":"turn/start","ok":true,"response":\#(winner)}"#)
      }
      #expect(repeats.map(\.status) == [202, 202, 202])
      #expect(Set(repeats.map { $0.json.at("data", "seq") }) == [receipts[winner].json.at("data", "seq")])
    }
    #expect(try await events(fleet).count { $0.type == "worker.response" } == 12)
  }

  @Test func theTimeOutAndTheDeviceDoNotBothEndARequest() async throws {
    let fleet = try await start()
    try await fleet.runtimes[0].makeWorker(id, token: fleet.ana)
    for round in 0..<6 {
      try await fleet.runtimes[0].post("worker.heartbeat", "{}", to: id, token: fleet.ana)
      let request = #"{"request":{"request_id":"r-\#(round)","method":"turn/start"}}"#
      async let answer = fleet.runtimes[0].call(.post, "\(id)/requests", request, token: fleet.ana)
      try await until { try await events(fleet).contains { $0.members["request_id"] == .string("r-\(round)") } }
      fleet.runtimes[0].time.advance(by: .seconds(31))
      async let tidied: Void = withThrowingTaskGroup(of: Void.self) { group in
        for runtime in fleet.runtimes { group.addTask { try await runtime.core.tidy() } }
        try await group.waitForAll()
      }
      let receipts = try await fleet.all("\(id)/events") { _ in
        event("worker.response", #"{"request_id":"r-\#(round)","method":"turn/start","ok":true,"response":1}"#)
      }
      try await tidied
      // In time, or too late, everywhere alike.
      #expect(Set(receipts.map(\.status)).count == 1)
      #expect(try await answer.json.at("data", "ok") == .bool(receipts[0].status == 202))
    }
    let ends = try await events(fleet).filter { ["worker.response", "worker.error"].contains($0.type) }
    #expect(ends.count == 6)
  }

  @Test func anIdempotencyKeyHoldsEverywhere() async throws {
    let fleet = try await start()
    try await fleet.runtimes[0].makeWorker(id, token: fleet.ana)
    for round in 0..<12 {
      let answers = try await fleet.all(
        "\(id)/events", { _ in event("worker.event", #"{"n":\#(round)}"#) },
        headers: .one("idempotency-key", "key-\(round)"))
      #expect(answers.map(\.status) == [202, 202, 202])
      #expect(Set(answers.map { $0.json.at("data", "seq") }).count == 1)
      #expect(answers.count { $0.headers[named: "idempotent-replayed"] == "true" } == 2)
    }
    #expect(try await events(fleet).count { $0.type == "worker.event" } == 12)
  }

  @Test func aWorkerIsMadeOnceAndHasOneOwner() async throws {
    let fleet = try await start()
    for round in 0..<6 {
      let body = #"{"worker_id":"w-\#(round)","adapter":"desktop_bridge"}"#
      let (ana, ben) = (fleet.ana, fleet.ben)
      async let ofAna = fleet.all("", { _ in body }, token: ana)
      async let ofBen = fleet.all("", { _ in body }, token: ben)
      let statuses = [try await ofAna.map(\.status).sorted(), try await ofBen.map(\.status).sorted()]
      #expect(statuses.contains([200, 200, 202]), "\(statuses)")
      #expect(statuses.contains([403, 403, 403]), "\(statuses)")
      let stored = try await fleet.runtimes[0].ledger.events(of: "events/w-\(round)", after: 0, limit: 10)
      #expect(stored.map(\.type) == ["worker.started"])
    }
  }

  @Test func aUsersRequestsAreCountedTogether() async throws {
    let fleet = try await start()
    try await fleet.runtimes[0].makeWorker("w-echo", token: fleet.ana, adapter: "in_memory", heartbeat: false)
    try await fleet.runtimes[0].makeWorker("w-ben", token: fleet.ben, adapter: "in_memory", heartbeat: false)
    var statuses: [Int] = []
    for round in 0..<24 {
      statuses += try await fleet.all("w-echo/requests") {
        #"{"request":{"request_id":"r-\#(round)-\#($0)","method":"thread/list"}}"#
      }.map(\.status)
    }
    #expect(statuses.count { $0 == 200 } == 60 && statuses.count { $0 == 429 } == 12)
    let other = try await fleet.all(
      "w-ben/requests", { #"{"request":{"request_id":"b-\#($0)","method":"thread/list"}}"# }, token: fleet.ben)
    #expect(other.map(\.status) == [200, 200, 200])
    #expect(Set(other.compactMap { $0.headers[named: "x-ratelimit-remaining"] }) == ["57", "58", "59"])
  }

  @Test func aStopEndsAWorkerAndItsRequestsOnce() async throws {
    let fleet = try await start()
    try await fleet.runtimes[0].makeWorker(id, token: fleet.ana)
    let request = #"{"request":{"request_id":"r","method":"turn/start"}}"#
    async let answer = fleet.runtimes[0].call(.post, "\(id)/requests", request, token: fleet.ana)
    try await until { try await events(fleet).contains { $0.type == "worker.request" } }
    let stops = try await fleet.all("\(id)/stop", { #"{"reason":"number \#($0)"}"# })
    #expect(stops.map(\.status).sorted() == [200, 200, 202])
    #expect(try await answer.json.at("data", "response", "code") == "worker_unavailable")
    #expect(try await events(fleet).suffix(2).map(\.type) == ["worker.error", "worker.stopped"])
  }
}
