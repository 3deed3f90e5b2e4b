import EventLedger
import HTTPTypes
import ResolveKitCore
import TestSupport
import Testing

@testable import WorkerRuntime

/// The limits of what a principal can make grow.
@Suite(.timeLimit(.minutes(5)))
struct GrowthTests {
  private func event(_ sequence: Int64, bytes: Int) -> LedgerEvent {
    LedgerEvent(
      sequence: sequence, fence: 1, time: WallTime(microseconds: sequence), type: "worker.event",
      payload: Array(repeating: UInt8(ascii: "x"), count: bytes))
  }

  @Test func largeEventsAreDroppedBySizeAndSmallOnesAreNot() throws {
    var small = StoredSizes()
    for sequence in 1...Int64(100_000) { small.add(event(sequence, bytes: 200)) }
    #expect(small.surplus == 0)
    var large = StoredSizes()
    for sequence in 1...Int64(200) {
      large.add(event(sequence, bytes: 1 << 20))
      // What is kept fits, but for a bucket at most; the newest always is.
      #expect(sequence - large.surplus <= 64 && large.surplus < sequence)
      if sequence % 50 == 0 { #expect(StoredSizes(try JSONValue(parsing: large.json.serialized())) == large) }
    }
    #expect(large.surplus > 130)
  }

  @Test func aWorkerKeepsSoManyBytes() async throws {
    let runtime = try RuntimeUnderTest()
    let token = try await runtime.token()
    let id = try await runtime.makeWorker(token: token)
    let payload = #"{"text":"\#(String(repeating: "x", count: 1_000_000))"}"#
    for _ in 0..<75 { try await runtime.post("worker.event", payload, to: id, token: token) }
    try await runtime.core.tidy()
    let extent = try await runtime.ledger.extent(of: "events/\(id)")
    #expect(extent.last == 77)
    #expect((10...20).contains(extent.floor), "\(extent.floor)")
    // Another runtime continues from what is left.
    let other = try RuntimeUnderTest(runtime.ledger, time: runtime.time)
    #expect(try await other.call(.get, id, token: token).json.at("data", "latest_seq") == 77)
    #expect(try await other.call(.get, id, token: token).json.at("data", "heartbeat_state") == "fresh")
  }

  @Test func registrationsAndReconnectionsLeaveOneRecord() async throws {
    let runtime = try RuntimeUnderTest()
    let token = try await runtime.token()
    for number in 0..<50 {
      let body = #"{"worker_id":"w-one","metadata":{"n":\#(number)}}"#
      _ = try await runtime.call(.post, "", body, token: token)
    }
    let extent = try await runtime.ledger.extent(of: "record/w-one")
    #expect(extent.last == 50 && extent.floor == 49)
    #expect(try await runtime.call(.get, "w-one", token: token).json.at("data", "metadata") == ["n": 49])
  }

  @Test func aRuntimeThatStartsReadsOnFromAStateThatWasKept() async throws {
    let runtime = try RuntimeUnderTest()
    let token = try await runtime.token()
    let id = try await runtime.makeWorker(token: token)
    let worker = runtime.core.services.registry.directory[try #require(WorkerID(id))]
    func kept() async throws -> Int64 { try await worker.snapshot(for: nil).record.checkpoint.latest }
    let draft = PostedEvent(type: "worker.event", payload: Array("{}".utf8)).draft
    for _ in 0..<8 { _ = try await worker.change { _ in Array(repeating: draft, count: 500) } }
    try await runtime.core.tidy()
    #expect(try await kept() == 0)
    _ = try await worker.change { _ in Array(repeating: draft, count: 100) }
    try await runtime.core.tidy()
    #expect(try await kept() == 4_102)
    let other = try RuntimeUnderTest(runtime.ledger, time: runtime.time)
    #expect(
      try await other.call(.get, id, token: token).json == runtime.call(.get, id, token: token).json)
  }

  @Test func tokensThatNobodyIssuedHoldUpNobody() async throws {
    let runtime = try RuntimeUnderTest()
    let other = try RuntimeUnderTest(runtime.ledger, time: runtime.time)
    try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<2_000 {
        group.addTask { try await runtime.call(.get, "", token: "workers_\(number)").status }
      }
      // Issued elsewhere in the middle of it, and known here at once.
      let token = try await other.token()
      #expect(try await runtime.call(.get, "", token: token).status == 200)
      for try await status in group { #expect(status == 401) }
    }
  }
}
