import EventLedger
import TestSupport

/// A ledger that stores nothing before its gate is open, as on a disk that hangs.
struct HeldLedger: EventLedger {
  let ledger: any EventLedger
  let gate: Gate

  func append(_ appends: [LedgerAppend]) async throws -> [Result<AppendReceipt, LedgerError>] {
    await gate.wait()
    return try await ledger.append(appends)
  }

  var news: LedgerNews { ledger.news }

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

  func events(of stream: String, after cursor: Int64, limit: Int) async throws -> [LedgerEvent] {
    try await ledger.events(of: stream, after: cursor, limit: limit)
  }

  func extent(of stream: String) async throws -> LedgerExtent { try await ledger.extent(of: stream) }

  func extents(of streams: [String]) async throws -> [String: LedgerExtent] { try await ledger.extents(of: streams) }

  func trim(_ stream: String, through sequence: Int64) async throws { try await ledger.trim(stream, through: sequence) }

  func delete(_ stream: String) async throws { try await ledger.delete(stream) }

  func sweep(limit: Int) async throws -> Int { try await ledger.sweep(limit: limit) }

  func identity() async throws -> String { try await ledger.identity() }
}
