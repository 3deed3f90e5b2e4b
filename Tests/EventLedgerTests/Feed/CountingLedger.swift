import EventLedger
import LedgerModel
import Synchronization

/// Counts what readers ask of a ledger, and fails it on demand.
final class CountingLedger: ForwardingLedger {
  let ledger: any EventLedger
  private let state = Mutex((reads: 0, questions: 0, fails: false))

  init(_ ledger: any EventLedger) {
    self.ledger = ledger
  }

  var reads: Int { state.withLock { $0.reads } }
  var questions: Int { state.withLock { $0.questions } }
  var fails: Bool {
    get { state.withLock { $0.fails } }
    set { state.withLock { $0.fails = newValue } }
  }

  var news: LedgerNews { ledger.news }

  func events(of stream: String, after cursor: Int64, limit: Int) async throws -> [LedgerEvent] {
    state.withLock { $0.reads += 1 }
    try check()
    return try await ledger.events(of: stream, after: cursor, limit: limit)
  }

  func extents(of streams: [String]) async throws -> [String: LedgerExtent] {
    state.withLock { $0.questions += 1 }
    try check()
    return try await ledger.extents(of: streams)
  }

  private func check() throws {
    if fails { throw LedgerError(.database, "The database fails, as the test wants it.") }
  }
}
