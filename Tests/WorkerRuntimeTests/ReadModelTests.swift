import EventLedger
import HTTPTypes
import ResolveKitCore
import TestSupport
import Testing

@testable import WorkerRuntime

/// Summaries are projected; nothing is decided by them.
@Suite(.timeLimit(.minutes(5)))
struct ReadModelTests {
  private func projection(_ runtime: RuntimeUnderTest, _ token: String) async throws -> JSONValue {
    let list = try await runtime.call(.get, "", token: token)
    return try #require(list.json.at("data").arrayValue?.first).at("khala_projection")
  }

  @Test func projectionLagAndStatusAreVisible() async throws {
    let runtime = try RuntimeUnderTest()
    let token = try await runtime.token()
    let id = try await runtime.makeWorker(token: token)
    #expect(try await projection(runtime, token) == .null)
    #expect(try await runtime.core.rebuildReadModel() == 1)
    let fresh = try await projection(runtime, token)
    #expect(fresh.at("document_id") == .string("codex_worker_summary:\(id)"))
    #expect(fresh.at("last_runtime_seq") == 2)
    #expect(fresh.at("lag_events") == 0)
    #expect(fresh.at("status") == "in_sync")
    #expect(fresh.at("projection_version") == "codex_worker_summary_v1")
    #expect(fresh.at("last_projected_at") == .string(runtime.time.now.zulu))
    for _ in 0..<3 { try await runtime.post("worker.event", "{}", to: id, token: token) }
    let lagging = try await projection(runtime, token)
    #expect(lagging.at("lag_events") == 3)
    #expect(lagging.at("status") == "lagging")
  }

  @Test func theProjectorCatchesUp() async throws {
    let runtime = try RuntimeUnderTest()
    let token = try await runtime.token()
    let id = try await runtime.makeWorker(token: token)
    let house = Task { await runtime.core.runHousekeeping() }
    defer { house.cancel() }
    try await until { try await projection(runtime, token).at("status") == "in_sync" }
    try await runtime.post("worker.event", "{}", to: id, token: token)
    try await until {
      runtime.clock.advance(by: .seconds(1))
      return try await projection(runtime, token).at("last_runtime_seq") == 3
    }
  }

  @Test func noControlPathAuthorityMovedToTheReadModel() async throws {
    let runtime = try RuntimeUnderTest()
    let token = try await runtime.token()
    let id = try await runtime.makeWorker(token: token)
    _ = try await runtime.core.rebuildReadModel()
    // A read model that lies: the worker is stopped, and far ahead.
    let stream = "summary/\(id)"
    let lease = try await runtime.ledger.lease(stream, to: "workers", for: .seconds(60))
    let lie: JSONValue = ["worker_id": .string(id), "last_runtime_seq": 99, "status": "stopped"]
    _ = try await runtime.ledger.append(
      [LedgerDraft(type: "codex_worker_summary_v1", payload: lie.serialized())], under: lease, key: nil)
    let list = try await runtime.call(.get, "?status=running", token: token)
    #expect(list.json.at("data").arrayValue?.count == 1)
    #expect(try await runtime.call(.get, id, token: token).json.at("data", "latest_seq") == 2)
    #expect(try await runtime.post("worker.event", "{}", to: id, token: token).json.at("data", "seq") == 3)
    #expect(try await runtime.call(.post, "\(id)/stop", token: token).status == 202)
    // One command makes it true again.
    _ = try await runtime.core.rebuildReadModel()
    let summary = try await projection(runtime, token)
    #expect(summary.at("last_runtime_seq") == 4)
    #expect(summary.at("status") == "in_sync")
  }
}
