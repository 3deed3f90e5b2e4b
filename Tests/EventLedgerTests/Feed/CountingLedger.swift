import EventLedger
import Synchronization

/// Counts what readers ask of a ledger, and fails it on demand.
final class CountingLedger: EventLedger {
  private let ledger: any EventLedger
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

  func lease(_ stream: String, to holder: String, for duration: Duration) async throws -> LedgerLease {
    try await ledger.lease(stream, to: holder, for: duration)
  }

  func renew(_ lease: LedgerLease, for duration: Duration) async throws -> LedgerLease {
    try await ledger.renew(lease, for: duration)
  }

  func release(_ lease: LedgerLease) async throws { try await ledger.release(lease) }

  func abandonedStreams(prefix: String, limit: Int) async throws -> [String] {
    try await ledger.abandonedStreams(prefix: prefix, limit: limit)
  }

  func append(_ appends: [LedgerAppend]) async throws -> [Result<AppendReceipt, LedgerError>] {
    try await ledger.append(appends)
  }

  func identity() async throws -> String { try await ledger.identity() }

  func extent(of stream: String) async throws -> LedgerExtent { try await ledger.extent(of: stream) }

  func trim(_ stream: String, through sequence: Int64) async throws { try await ledger.trim(stream, through: sequence) }

  func delete(_ stream: String) async throws { try await ledger.delete(stream) }

  func sweep(limit: Int) async throws -> Int { try await ledger.sweep(limit: limit) }
}
