import EventLedger
import JSONService
import Logging
import TestSupport
import Testing

@testable import WorkerRuntime

@Suite(.timeLimit(.minutes(5)))
struct StreamBudgetTests {
  @Test func whatAStreamHoldsForASlowReaderIsCounted() async throws {
    let ledger = try SQLiteEventLedger.open(path: nil)
    let worker = try #require(WorkerID("codexw_" + String(repeating: "a", count: 24)))
    let name = StreamNames.events(of: worker)
    let lease = try await ledger.lease(name, to: "one", for: .seconds(100))
    let payload = Array(#"{"text":"\#(String(repeating: "c", count: 100_000))"}"#.utf8)
    _ = try await ledger.append([LedgerDraft(type: "worker.event", payload: payload)], under: lease, key: nil)
    let budget = StreamBudget(bytes: 64 << 20)
    let stream = WorkerStream(
      worker: worker, cursor: try StreamCursor(query: 0, field: nil, extent: await ledger.extent(of: name)),
      ending: .never(keepAlive: .seconds(100_000)), feed: LedgerFeed(ledger), clock: ContinuousClock(), recheck: {},
      logger: Logger(label: "test"), seat: try #require(StreamSeats(limitPerClient: 1, limit: 1).take(for: "u")),
      budget: budget)
    let gate = Gate()
    let run = Task {
      try await stream.run { bytes in
        if bytes.count > 100_000 { await gate.wait() }
      }
    }
    // Twice: as an event, and as what is being written.
    await until { budget.bytes > 150_000 }
    gate.open()
    await until { budget.bytes == 0 }
    run.cancel()
    _ = await run.result
  }
}
